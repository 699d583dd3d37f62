/*---
title: Idle time of the warm-up beyond that of typical iterations
unit: s
better: lower
definition: >-
  Idle time of the GPU in iterations of the warm-up, less what as many typical iterations have. Left out are
  the profiler's own calls and, where PC sampling was on, gaps of up to 5 ms: see time.idle_parts.
population: >-
  iterations of the warm-up; of several GPUs the mean
needs: [gpu_trace, iterations]
source: traces
empty: no iteration is warm-up, or none is typical
---*/
SELECT greatest(host.warm - counted.warm * host.steady / counted.typical, 0) / 1e9 AS value
FROM (
    SELECT coalesce(sum(idle - profiler) FILTER (WHERE period = 'warm-up'), 0) AS warm,
        coalesce(sum(idle - profiler) FILTER (WHERE period = 'steady'), 0) AS steady
    FROM idle_parts WHERE gap <> 'short'
) AS host
CROSS JOIN (
    SELECT count(*) FILTER (WHERE mark = 'warm-up') AS warm, count(*) FILTER (WHERE mark = '') AS typical FROM iteration
) AS counted
WHERE counted.warm > 0 AND counted.typical > 0
