/*---
about: >-
  GPU streams with operations, and the GPU of each, of GPUs that take part in the run: those with at least 1 % of the kernel time
  of the one with most of it, or half as many kernels and 20 (those of a late rank wait for none), or of the time of operations where
  no kernel ran. Others are in idle_gpu. GPUs are told apart by
  node, rank and GPU context.
when: gpu_operation
columns:
  profile: INTEGER; GPU stream, index in table profile [id]
  device: INTEGER; GPU, numbered from 0 in order of node, rank and GPU context [id]
  start: BIGINT; Begin of its first operation since the epoch [ns]
  stop: BIGINT; End of its last operation since the epoch [ns]
  operations: BIGINT; Its operations [count]
---*/
-- A context, an allocation or a memset makes no GPU of a run: rank 3 that touches device 0, or a library that sets up links.
WITH ran AS (
    SELECT profile, min(start) AS start, max(start + duration) AS stop, count(*) AS operations,
        sum(duration) FILTER (WHERE operation = 'kernel') AS kernels, count(*) FILTER (WHERE operation = 'kernel') AS launches,
        sum(duration) AS work
    FROM gpu_operation GROUP BY profile
),
gpu AS (
    SELECT ran.*, profile.node, profile.rank, profile.gpu_context,
        coalesce(sum(kernels) OVER gpu, 0) AS gpu_kernels, sum(launches) OVER gpu AS gpu_launches, sum(work) OVER gpu AS gpu_work
    FROM ran JOIN profile ON profile."index" = ran.profile
    WINDOW gpu AS (PARTITION BY profile.node, profile.rank, profile.gpu_context)
)
SELECT profile, dense_rank() OVER (ORDER BY node, rank, gpu_context) - 1 AS device, start, stop, operations
FROM (
    FROM gpu
    QUALIFY if(max(gpu_kernels) OVER () > 0,
        gpu_kernels >= 0.01 * max(gpu_kernels) OVER () OR gpu_launches >= greatest(20, 0.5 * max(gpu_launches) OVER ()),
        gpu_work >= 0.01 * max(gpu_work) OVER ())
)
