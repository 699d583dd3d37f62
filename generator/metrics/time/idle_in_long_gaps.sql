/*---
title: Idle time in gaps that neither launches nor PC samples explain
unit: ratio
better: lower
definition: >-
  Share of the idle time between GPU operations that is in gaps longer than 50 µs, or than 5 ms
  where PC samples were collected.
population: >-
  the GPU span, all streams
needs: [gpu_trace]
source: >-
  50 µs is ten times the cost of a launch; PC sampling serialises kernels and puts gaps of up to
  some milliseconds between them
empty: the GPU is never idle within its span
---*/
SELECT coalesce(sum(duration) FILTER (WHERE duration > limits.longest), 0) / nullif(sum(duration), 0) AS value
FROM gpu_gap
CROSS JOIN (
    SELECT CASE WHEN count(*) > 0 THEN 5e6 ELSE 5e4 END AS longest
    FROM metric WHERE run = $run AND is_pc_sample(name)
) AS limits
WHERE run = $run
