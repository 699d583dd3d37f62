/*---
title: Exposed communication on every rank
unit: s
better: lower
definition: >-
  Least exposed communication of a rank: what the rank with the least of it could save if all
  communication vanished, and so the most that the run could.
population: GPU operations of all streams of each rank
needs: [gpu_trace, ranks]
source: communication.exposed_share, the minimum over ranks
caveat: >-
  Known by the names of kernels of NCCL and RCCL. HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel of NCCL or RCCL was seen on two ranks or more
---*/
SELECT min(used.exposed) / 1e9 AS value, count(*) AS n
FROM collectives_by_rank($run) AS used
HAVING count(*) > 0
