/*---
about: >-
  GPUs that take no part in the run (gpu_stream), though operations ran there: how many, and how long [ns].
---*/
SELECT profile.node, profile.rank, profile.gpu_context, count(*) AS operations, sum(ran.duration) AS work
FROM gpu_operation AS ran JOIN profile ON profile."index" = ran.profile
WHERE ran.profile NOT IN (SELECT profile FROM gpu_stream)
GROUP BY profile.node, profile.rank, profile.gpu_context
