/*---
title: Kernel launches
unit: count
better: lower
definition: Number of kernel launches that were measured.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; where the
  profile counts nothing, the GPU operations of the trace
needs: [launches]
source: measure kernel_launches, or its traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
empty: >-
  the profile has kernel time and counts no launches: the count was not recorded
---*/
SELECT gpu_count('kernel_launches', 'kernel_time', 'kernel') AS value
