/*---
title: GPU initialisation
unit: s
better: lower
definition: >-
  Time before the first GPU operation in which a thread that launches GPU operations
  initialises the GPU: up to each sample whose calling path has a function that does so, such
  as cuInit, cudaGetDeviceCount or _lazy_init, from the thread's sample before. The functions
  are in the table phase_pattern of the store.
population: >-
  launching threads, from the first trace point to the first GPU operation; threads at once
  count once
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  Of a thread that waits for the driver no samples of CPU time are taken, so that the time
  between two samples is told by the later one. The profiler's own start-up within the driver
  counts as well.
---*/
SELECT coalesce(sum(stop - start), 0) / 1e9 AS value FROM gpu_initialisation($run)
