/*---
title: Least exposed communication of a rank
unit: s
better: lower
definition: >-
  Least exposed communication of a rank in the steady state: the most that the run could save if
  all communication there ran beside other kernels.
population: >-
  GPU operations of all streams of each rank with kernels in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
needs: [gpu_trace]
source: communication.exposed_share, the minimum over ranks
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel that communicates was seen in the steady state of a rank
---*/
SELECT min(exposed) / 1e9 AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'steady state'
HAVING count(*) > 0
