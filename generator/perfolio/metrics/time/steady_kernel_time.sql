/*---
title: Mean kernel time in steady iterations
unit: s
better: higher
definition: >-
  Mean duration of the kernels of steady iterations. Short kernels leave the GPU waiting for launches.
population: >-
  kernels that begin in complete iterations that are no warm-up; all streams and GPUs
needs: [gpu_trace, iterations, every_kernel, unsampled]
source: traces
caveat: >-
  A mean over all kernels; their durations usually differ by orders of magnitude. On compute capability 9
  and newer it covers those that HPCToolkit sees. Not given where PC sampling was on, which keeps kernels
  apart, so that what launching costs cannot be told.
empty: no kernel runs in steady iterations
---*/
SELECT avg(operation.duration) / 1e9 AS value, nullif(count(*), 0) AS n
FROM steady_bounds AS steady
JOIN gpu_operation AS operation ON operation.start >= steady.start AND operation.start < steady.stop
WHERE operation.operation = 'kernel'
