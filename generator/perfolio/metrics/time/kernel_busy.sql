/*---
title: Kernel busy time
unit: s
better: neither
definition: >-
  Time in which at least one kernel runs on a GPU: the union of their intervals.
population: >-
  kernels of all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
---*/
SELECT kernel_busy / 1e9 AS value FROM gpu_use
