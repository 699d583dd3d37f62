/*---
title: Launching while the GPU is idle, share of time
unit: ratio
better: lower
definition: >-
  Time in which a thread is in a call that launches a kernel and the kernel's GPU runs nothing, over the time from the
  first to the last operation, the mean over GPUs.
population: launches of kernels, those of graphs left out; from the first operation of a GPU to its last one
needs: [host_call, kernels]
source: begin and end of each call and operation
empty: no kernel has a recorded launch
---*/
WITH idle AS (
    SELECT device, start, stop, sum(stop - start) OVER (PARTITION BY device ORDER BY start) - (stop - start) AS before FROM gpu_gap
),
-- How long a GPU had been idle in all by a moment follows from the last gap before it.
edge AS (
    SELECT device, called AS moment, -1 AS sign FROM kernel_launch
    UNION ALL
    SELECT device, called + calling, 1 FROM kernel_launch
)
SELECT coalesce(sum(edge.sign * (idle.before + least(edge.moment, idle.stop) - idle.start)), 0) / gpus()
    / any_value(span.stop - span.start) AS value
FROM edge ASOF LEFT JOIN idle ON idle.device = edge.device AND idle.start <= edge.moment
CROSS JOIN gpu_span AS span
HAVING count(*) > 0 AND any_value(span.stop - span.start) > 0
