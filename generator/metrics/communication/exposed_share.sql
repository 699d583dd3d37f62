/*---
title: Exposed communication, share of wall time
unit: ratio
better: lower
definition: >-
  Mean over ranks of the time in which a collective operation ran on the rank's GPUs and no other
  kernel did, over the wall time.
population: GPU operations of all streams of each rank
needs: [cpu_trace, gpu_trace, ranks]
source: exposed communication as in TraceLens
caveat: >-
  Known by the names of kernels of NCCL and RCCL. HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel of NCCL or RCCL was seen on two ranks or more
---*/
SELECT avg(used.exposed) / nullif(any_value(span.length), 0) AS value, count(*) AS n
FROM collectives_by_rank($run) AS used
CROSS JOIN (SELECT any_value(stop - start) AS length FROM cpu_trace_span WHERE run = $run) AS span
HAVING count(*) > 0
