/*---
title: Copy time per kernel time
unit: "1"
better: lower
definition: >-
  Time of explicit copies over time of kernels. Above 1, the GPU spends longer copying than
  computing; it says nothing about what the run waits for.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; without
  profile.db, the GPU operations of the trace
needs: [copies, kernels, every_kernel]
source: copy_time / kernel_time; without costs, traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, an
  upper bound.
empty: the profile records no kernel time
---*/
SELECT gpu_time('copy_time', 'copy%') / nullif(gpu_time('kernel_time', 'kernel'), 0) AS value
