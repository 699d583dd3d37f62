/*---
title: Overlap of copies and kernels
unit: s
better: higher
definition: >-
  Time in which a copy and a kernel run at once on a GPU.
population: >-
  GPU operations of all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
---*/
SELECT overlap / 1e9 AS value FROM gpu_use
