/*---
title: Collectives waiting for the slowest rank
unit: ratio
better: lower
definition: >-
  Mean over ranks of the time in collective operations beyond that of the rank with the least, over
  the wall time. The rank that spends least in collectives is the one that the others wait for.
population: GPU operations of all streams of each rank
needs: [cpu_trace, gpu_trace, ranks]
source: the straggler wait of TraceLens (duration - minimum over ranks), over the whole run
caveat: >-
  Known by the names of kernels of NCCL and RCCL. HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel of NCCL or RCCL was seen on two ranks or more
---*/
SELECT (avg(used.busy) - min(used.busy)) / nullif(any_value(span.length), 0) AS value, count(*) AS n
FROM collectives_by_rank($run) AS used
CROSS JOIN (SELECT any_value(stop - start) AS length FROM cpu_trace_span WHERE run = $run) AS span
HAVING count(*) > 0
