/*---
about: >-
  GPU streams with operations, and the GPU of each. GPUs are told apart by node, rank and GPU context.
when: gpu_operation
columns:
  profile: INTEGER; GPU stream, index in table profile [id]
  device: INTEGER; GPU, numbered from 0 in order of node, rank and GPU context [id]
  start: BIGINT; Begin of its first operation since the epoch [ns]
  stop: BIGINT; End of its last operation since the epoch [ns]
  operations: BIGINT; Its operations [count]
---*/
SELECT ran.profile, dense_rank() OVER (ORDER BY profile.node, profile.rank, profile.gpu_context) - 1 AS device,
    ran.start, ran.stop, ran.operations
FROM (
    SELECT profile, min(start) AS start, max(start + duration) AS stop, count(*) AS operations FROM gpu_operation GROUP BY profile
) AS ran
JOIN profile ON profile."index" = ran.profile
