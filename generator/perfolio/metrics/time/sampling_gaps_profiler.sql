/*---
title: The profiler's own calls in gaps that PC sampling may have made
unit: s
better: lower
definition: >-
  Of the gaps of up to 5 ms between GPU operations, in a run with PC sampling, the time in which launching
  threads were sampled in the libraries by which HPCToolkit measures the GPU.
population: >-
  from the first GPU operation on; of several GPUs the mean
needs: [cpu_trace, gpu_trace, launching, host_samples]
source: traces; names of the libraries
caveat: >-
  Gaps are shared by the samples taken in gaps of like length; the profiler loses some.
empty: PC sampling was off, or no thread was sampled within CUPTI or its like
---*/
SELECT CASE WHEN pc_sampled() AND EXISTS (FROM profiler_contexts) THEN coalesce(sum(profiler) FILTER (WHERE gap = 'short'), 0) / 1e9 END AS value
FROM idle_parts
