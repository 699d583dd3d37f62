/*---
title: Kernel time
unit: s
better: lower
definition: >-
  Sum of the durations of kernels on the GPU, summed over all operations, streams and devices.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; without
  profile.db, the GPU operations of the trace
needs: [kernels]
source: measure kernel_time; without costs, traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
---*/
SELECT gpu_time('kernel_time', 'kernel') AS value
