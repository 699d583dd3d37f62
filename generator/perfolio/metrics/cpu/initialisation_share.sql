/*---
title: CPU cost of initialising a GPU
unit: ratio
better: lower
definition: >-
  Share of CPU cost that was spent below functions that initialise a GPU, such as cuInit,
  cudaGetDeviceCount or _lazy_init. The functions are in the table phase_pattern of the store. Where there is a
  trace, calling paths of cudaMalloc and hipMalloc count that the metric time.gpu_initialisation counts.
population: call frames of all entry points and profiles, scope function
needs: [cpu_event]
source: names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
empty: no thread has a CPU cost
---*/
SELECT coalesce(sum(exclusive) FILTER (WHERE phase = 'initialisation' OR frame IN (SELECT frame FROM gpu_start)), 0) / sum(exclusive) AS value
FROM cpu_frames
HAVING sum(exclusive) > 0
