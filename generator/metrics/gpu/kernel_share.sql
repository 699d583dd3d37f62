/*---
title: Kernel share of GPU-operation time
unit: ratio
better: higher
definition: >-
  Time of kernels over the time of all GPU operations. A share of GPU-operation time, not of
  wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GKER (sec), GPUOP (sec)]
source: GKER (sec) / GPUOP (sec)
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
empty: the profile records no GPU operation
---*/
SELECT total_of($run, 'GKER (sec)') / nullif(total_of($run, 'GPUOP (sec)'), 0) AS value
