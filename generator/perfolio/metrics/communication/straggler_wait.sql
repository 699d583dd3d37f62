/*---
title: Collectives waiting for the slowest rank, mean of ranks, share of the steady state
unit: ratio
better: lower
definition: >-
  Mean over ranks with kernels of the time in collective operations beyond that of the rank with the least, over
  the time of the steady state. The rank that spends least in collectives is the one that the
  others wait for. Part of the wait may run beside other kernels, where it costs nothing.
population: >-
  GPU operations of all streams of each rank with kernels in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
needs: [gpu_trace, ranks]
source: the straggler wait of TraceLens (duration - minimum over ranks), over the steady state
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel that communicates was seen in the steady state of two ranks or more
---*/
SELECT (avg(busy) - min(busy)) / nullif(any_value(length), 0) AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'steady state'
HAVING count(*) > 1
