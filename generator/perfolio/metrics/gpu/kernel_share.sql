/*---
title: Kernel share of GPU-operation time
unit: ratio
better: higher
definition: >-
  Time of kernels over the time of all GPU operations. A share of GPU-operation time, not of
  wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; without
  profile.db, the GPU operations of the trace
needs: [kernels, gpu_operations, copies]
source: kernel_time / gpu_operation_time; without costs, traces
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
empty: the profile records no GPU operation
---*/
SELECT gpu_time('kernel_time', 'kernel') / nullif(gpu_time('gpu_operation_time', '%'), 0) AS value
