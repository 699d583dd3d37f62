/*---
about: >-
  Kernels that a call of their own launched, with the call: no kernels of graphs, of which one call launches many
  [ns].
---*/
SELECT ran.profile, stream.device, ran.start, ran.duration, call.profile AS thread, call.start AS called, call.duration AS calling,
    call.name AS "function", call.context
FROM gpu_operation AS ran
JOIN gpu_stream AS stream ON stream.profile = ran.profile
JOIN host_call AS call ON call.id = ran.call
WHERE ran.operation = 'kernel' AND regexp_matches(call.name, '(?i)launch') AND NOT regexp_matches(call.name, '(?i)graph')
