/*---
title: Launching while the GPU is idle, share of time
unit: ratio
better: lower
definition: >-
  Time in which a thread is in a call that launches a kernel and the kernel's GPU runs nothing, over the time from the
  first to the last operation, the mean over GPUs. Each moment of a GPU counts once, whatever number of threads launch.
population: launches of kernels, those of graphs left out; from the first operation of a GPU to its last one
needs: [host_call, kernels]
source: begin and end of each call and operation
empty: no kernel has a recorded launch
---*/
WITH idle AS (
    SELECT device, start, stop, sum(stop - start) OVER (PARTITION BY device ORDER BY start) - (stop - start) AS before FROM gpu_gap
),
call AS (
    SELECT device, called AS start, called + calling AS stop, max(called + calling) OVER (
        PARTITION BY device ORDER BY called, calling ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS reached
    FROM kernel_launch
),
-- How long a GPU had been idle in all by a moment follows from the last gap before it.
edge AS (
    SELECT device, unnest([greatest(start, coalesce(reached, start)), stop]) AS moment, unnest([-1, 1]) AS sign
    FROM call WHERE stop > coalesce(reached, start)
)
SELECT coalesce(sum(edge.sign * (idle.before + least(edge.moment, idle.stop) - idle.start)), 0) / gpus()
    / any_value(span.stop - span.start) AS value
FROM gpu_span AS span
LEFT JOIN (edge ASOF LEFT JOIN idle ON idle.device = edge.device AND idle.start <= edge.moment) ON true
WHERE EXISTS (FROM kernel_launch)
HAVING any_value(span.stop - span.start) > 0
