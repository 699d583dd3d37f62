/*---
about: >-
  How many operations run at once on each GPU, over its streams: intervals without a break from its first
  operation to its last one. Where all three are 0 the GPU is idle.
when: gpu_operation
columns:
  device: "INTEGER; GPU: see gpu_stream [id]"
  start: BIGINT; Begin since the epoch [ns]
  stop: BIGINT; End since the epoch [ns]
  kernels: INTEGER; Kernels that run [count]
  copies: INTEGER; Copies that run [count]
  others: INTEGER; Other operations that run [count]
---*/
-- Begins and ends of each GPU in order of time; their running sum is what runs there. Kernels count
-- in the lowest 20 bits of a step, copies in the next 20 and other operations above. Windows without
-- a partition or an order of their own take the rows as they come, so that only the sort needs
-- memory: after the last end of a GPU the sum is 0 again.
WITH operation AS (
    SELECT stream.device, ran.start, ran.start + ran.duration AS stop,
        CASE WHEN operation = 'kernel' THEN 1 WHEN operation LIKE 'copy%' THEN 1048576 ELSE 1099511627776 END AS step
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    WHERE ran.duration > 0
),
event AS (
    SELECT device, start AS moment, step FROM operation
    UNION ALL
    SELECT device, stop, -step FROM operation
),
level AS (
    SELECT device, moment AS start, lead(device) OVER () AS following, lead(moment) OVER () AS stop,
        CAST(sum(step) OVER (ROWS UNBOUNDED PRECEDING) AS BIGINT) AS level
    FROM (SELECT device, moment, step FROM event ORDER BY device, moment)
)
SELECT device, start, stop, level & 1048575, (level >> 20) & 1048575, level >> 40
FROM level
WHERE following = device AND stop > start
