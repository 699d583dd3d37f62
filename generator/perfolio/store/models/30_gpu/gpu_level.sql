/*---
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
