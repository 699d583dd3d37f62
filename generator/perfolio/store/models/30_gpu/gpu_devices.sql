/*---
name: gpu_stream
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

/*---
name: gpu_device
about: >-
  GPUs that take part in the run (gpu_stream), and from the first operation to the last one on each [ns].
---*/
SELECT stream.device, any_value(profile.node) AS node, any_value(profile.rank) AS rank,
    any_value(profile.gpu_context) AS gpu_context,
    min(stream.start) AS start, max(stream.stop) AS stop, sum(stream.operations) AS operations
FROM gpu_stream AS stream JOIN profile ON profile."index" = stream.profile GROUP BY stream.device

/*---
name: gpus
about: >-
  Number of GPUs that take part in a run (gpu_stream): what sums over GPUs are divided by for their mean.
value: true
---*/
SELECT count(DISTINCT device) FROM gpu_stream

/*---
name: gpu_span
about: >-
  From the begin of the first operation of any GPU that takes part (gpu_stream) to the end of the last one, per run [ns].
---*/
SELECT min(start) AS start, max(stop) AS stop FROM gpu_stream HAVING count(*) > 0

/*---
name: busiest_stream
about: >-
  The GPU stream of a run with the most operations.
value: true
---*/
SELECT profile FROM gpu_stream ORDER BY operations DESC, profile LIMIT 1

/*---
name: busiest_device
about: >-
  The GPU of a run with the busiest_stream.
value: true
---*/
SELECT device FROM gpu_stream WHERE profile = busiest_stream()

/*---
name: idle_gpu
about: >-
  GPUs that take no part in the run (gpu_stream), though operations ran there: how many, and how long [ns].
---*/
SELECT profile.node, profile.rank, profile.gpu_context, count(*) AS operations, sum(ran.duration) AS work
FROM gpu_operation AS ran JOIN profile ON profile."index" = ran.profile
WHERE ran.profile NOT IN (SELECT profile FROM gpu_stream)
GROUP BY profile.node, profile.rank, profile.gpu_context

/*---
name: device_peak
about: >-
  The precision that profile.toml gives the model, and the peak of the device at it without sparsity, NULL where
  that is not known, and of all GPUs that take part together [FLOP/s].
---*/
SELECT precision, peak, peak * greatest(gpus(), 1) AS together
FROM (
    SELECT upper(setting.value) AS precision, CASE lower(setting.value)
        WHEN 'fp64' THEN greatest(hardware.fp64_flops, hardware.fp64_tensor_flops)
        WHEN 'fp32' THEN hardware.fp32_flops
        WHEN 'tf32' THEN hardware.tf32_flops
        WHEN 'fp16' THEN hardware.fp16_flops
        WHEN 'bf16' THEN hardware.fp16_flops
        WHEN 'fp8' THEN hardware.fp8_flops
        END AS peak
    FROM setting CROSS JOIN run JOIN hardware ON hardware.name = run.hardware WHERE setting.key = 'workload.precision'
)
