/*---
name: gpu_piece
about: >-
  The time of each GPU in pieces of a million operations or so: what gpu_level is filled by, since it sorts them. Each
  begins with an operation and ends where the next begins (NULL of the last), and the first and the last one where the
  GPU's own time does, be it with an operation of no length; reach is when an operation that runs in it began, at the
  earliest [ns].
---*/
SELECT device, min(start) AS "from", lead(min(start)) OVER (PARTITION BY device ORDER BY min(start)) AS "to",
    min(start) - max(max(duration)) OVER (PARTITION BY device) AS reach, max(last) AS last
FROM (
    SELECT device, start, 0 AS duration, 0 AS place, stop AS last FROM gpu_device
    UNION ALL
    SELECT stream.device, ran.start, ran.duration,
        (ran.start - gpu.start) // ((gpu.stop - gpu.start) // (1 + gpu.operations // 1000000) + 1), gpu.stop
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    JOIN gpu_device AS gpu ON gpu.device = stream.device
    WHERE ran.duration > 0
)
GROUP BY device, place
ORDER BY device, "from"

/*---
name: gpu_level
about: >-
  How many operations run at once on each GPU, over its streams: intervals without a break from the begin of its first
  operation to the end of its last one, be it of no length: those are in no count. Where all three are 0 the GPU is idle.
when: gpu_operation
pieces: gpu_piece
columns:
  device: "INTEGER; GPU: see gpu_stream [id]"
  start: BIGINT; Begin since the epoch [ns]
  stop: BIGINT; End since the epoch [ns]
  kernels: INTEGER; Kernels that run [count]
  copies: INTEGER; Copies that run [count]
  others: INTEGER; Other operations that run [count]
---*/
-- Begins and ends of a GPU in order of time; their running sum is what runs there. Kernels count
-- in the lowest 20 bits of a step, copies in the next 20 and other operations above. Windows without
-- a partition or an order of their own take the rows as they come, so that only the sort needs
-- memory. What runs already when a piece begins does so from there on.
WITH operation AS (
    SELECT greatest(ran.start, $from) AS start, ran.start + ran.duration AS stop,
        CASE WHEN operation = 'kernel' THEN 1 WHEN operation LIKE 'copy%' THEN 1048576 ELSE 1099511627776 END AS step
    FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile AND stream.device = $device
    WHERE ran.duration > 0 AND ran.start >= $reach AND coalesce(ran.start < $to, true) AND ran.start + ran.duration > $from
),
event AS (
    SELECT start AS moment, step FROM operation
    UNION ALL
    SELECT stop, -step FROM operation WHERE coalesce(stop < $to, true)
    UNION ALL
    SELECT unnest([$from, coalesce($to, $last)]), 0
),
level AS (
    SELECT moment AS start, lead(moment) OVER () AS stop, CAST(sum(step) OVER (ROWS UNBOUNDED PRECEDING) AS BIGINT) AS level
    FROM (SELECT moment, step FROM event ORDER BY moment)
)
SELECT $device AS device, start, stop,
    level & 1048575 AS kernels, (level >> 20) & 1048575 AS copies, level >> 40 AS others
FROM level WHERE stop > start

/*---
name: gpu_gap
about: >-
  Gaps: intervals between operations of a GPU in which none runs on any of its streams, and whether PC
  sampling may have made one (short): it was on, and the gap is no longer than 5 ms [ns].
---*/
SELECT device, start, stop, stop - start AS duration, stop - start <= 5e6 AND pc_sampled() AS short
FROM gpu_level WHERE kernels + copies + others = 0

/*---
name: gpu_use
about: >-
  How long any operation, a kernel, a copy, or a copy and a kernel at once ran on a GPU, over its streams; work
  is the sum over operations. All the mean over GPUs, but for the greatest level, which is of any [ns].
---*/
SELECT
    sum(stop - start) / any_value(gpus.number) AS span,
    coalesce(sum(stop - start) FILTER (WHERE kernels + copies + others > 0), 0) / any_value(gpus.number) AS busy,
    coalesce(sum(stop - start) FILTER (WHERE kernels > 0), 0) / any_value(gpus.number) AS kernel_busy,
    coalesce(sum(stop - start) FILTER (WHERE copies > 0), 0) / any_value(gpus.number) AS copy_busy,
    coalesce(sum(stop - start) FILTER (WHERE kernels > 0 AND copies > 0), 0) / any_value(gpus.number) AS overlap,
    sum((stop - start) * (kernels + copies + others)) / any_value(gpus.number) AS work,
    max(kernels + copies + others) AS greatest_level
FROM gpu_level CROSS JOIN (SELECT gpus() AS number) AS gpus HAVING count(*) > 0
