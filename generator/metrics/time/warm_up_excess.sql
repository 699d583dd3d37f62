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
source: HPCToolkit's traces
empty: no iteration is warm-up, or none is typical
---*/
SELECT greatest(sum(host) FILTER (WHERE period = 'warm-up') - any_value(counted.warm) * sum(host) FILTER (WHERE period = 'steady') / nullif(any_value(counted.typical), 0), 0) / 1e9 AS value
FROM (SELECT period, idle - profiler AS host FROM idle_parts($run) WHERE gap <> 'short')
CROSS JOIN (
    SELECT count(*) FILTER (WHERE mark = 'warm-up') AS warm, count(*) FILTER (WHERE mark = '') AS typical FROM iteration WHERE run = $run
) AS counted
