/*---
about: >-
  Trace lines in words: the GPU of a GPU stream (its rank and, where a process of the run has several,
  HPCToolkit's number of its GPU context, which is no number of a device), and the line, with its thread (process_thread)
  or stream.
---*/
SELECT line.profile, gpu.name AS gpu,
    CASE line.kind
        WHEN 'GPU stream' THEN gpu.name || coalesce(' stream ' || profile.gpu_stream, ' stream (' || profile.identifier_tuple || ')')
        ELSE thread.name END AS name
FROM trace_line AS line JOIN profile ON profile."index" = line.profile
LEFT JOIN process_thread AS thread ON thread.profile = line.profile
CROSS JOIN (
    SELECT count(DISTINCT (node, rank, gpu_context)) > count(DISTINCT (node, rank)) AS several
    FROM profile WHERE kind = 'GPU stream'
) AS contexts
CROSS JOIN LATERAL (
    SELECT coalesce('rank ' || profile.rank || ' ', '') || 'GPU'
        || if(contexts.several, coalesce(' context ' || profile.gpu_context, ''), '') AS name
) AS gpu
