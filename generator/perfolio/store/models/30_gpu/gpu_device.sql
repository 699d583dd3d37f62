/*---
about: >-
  GPUs that take part in the run (gpu_stream), and from the first operation to the last one on each [ns].
---*/
SELECT stream.device, any_value(profile.node) AS node, any_value(profile.rank) AS rank,
    any_value(profile.gpu_context) AS gpu_context,
    min(stream.start) AS start, max(stream.stop) AS stop, sum(stream.operations) AS operations
FROM gpu_stream AS stream JOIN profile ON profile."index" = stream.profile GROUP BY stream.device
