/*---
title: Gaps that PC sampling may have made
unit: s
better: lower
definition: >-
  Time in gaps of up to 5 ms between GPU operations, in a run with PC sampling. How much of it is the
  profiler's own calls only samples of the host tell: time.sampling_gaps_profiler.
population: >-
  the GPU span, all streams; of several GPUs the mean
needs: [gpu_trace]
source: >-
  PC sampling runs kernels one after another and puts gaps of up to some milliseconds between them
empty: PC sampling was off
---*/
SELECT CASE WHEN pc_sampled()
    THEN coalesce((SELECT sum(duration) FROM gpu_gap WHERE short) / gpus(), 0) / 1e9 END AS value
