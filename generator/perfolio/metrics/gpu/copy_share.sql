/*---
title: Copy share of GPU-operation time
unit: ratio
better: lower
definition: >-
  Time of explicit copies over the time of all GPU operations. A share of GPU-operation time,
  not of wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; without
  profile.db, the GPU operations of the trace
needs: [copies, gpu_operations]
source: copy_time / gpu_operation_time; without costs, traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, an
  upper bound.
empty: the profile records no GPU operation
---*/
SELECT gpu_time('copy_time', 'copy%') / nullif(gpu_time('gpu_operation_time', '%'), 0) AS value
