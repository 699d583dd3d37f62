/*---
title: Communication beside computation
unit: ratio
better: higher
definition: >-
  Share of the time of collective operations in which another kernel ran on the same rank, on the
  rank with the least time in them, which waits least.
population: >-
  GPU operations of all streams of each rank with kernels in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
needs: [gpu_trace]
source: overlap of communication as in TraceLens
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel that communicates was seen in the steady state of a rank
---*/
SELECT 1 - exposed / nullif(busy, 0) AS value
FROM late_rank
