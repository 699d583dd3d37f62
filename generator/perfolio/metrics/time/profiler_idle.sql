/*---
title: Idle time of the GPU in the profiler's own calls
unit: s
better: lower
definition: >-
  Idle time of the GPU in which launching threads were sampled in the libraries by which HPCToolkit measures
  it, in gaps of any length: the sum over all periods of time.idle_parts.
population: >-
  from the first GPU operation on; of several GPUs the mean
needs: [cpu_trace, gpu_trace, launching, host_samples]
source: traces; names of the libraries
caveat: >-
  Gaps are shared by the samples taken in them or in gaps of like length, by the time that each stands for where the
  profiler drops samples of running threads; of a few dropped samples nothing is known.
empty: with PC sampling, no thread was sampled within CUPTI or its like
---*/
SELECT CASE WHEN NOT pc_sampled() OR EXISTS (FROM profiler_contexts) THEN coalesce(sum(profiler), 0) / 1e9 END AS value
FROM idle_parts
