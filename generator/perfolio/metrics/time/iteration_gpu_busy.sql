/*---
title: GPU busy time of an iteration
unit: s
better: neither
definition: >-
  Median over iterations of the time in the iteration in which any operation runs on a GPU.
population: >-
  complete iterations that are no warm-up; of several GPUs the mean
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT median(gpu_busy) / 1e9 AS value, count(*) AS n FROM steady_iterations
