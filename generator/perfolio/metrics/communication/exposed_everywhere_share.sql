/*---
title: Least exposed communication, share of the steady state
unit: ratio
better: lower
definition: >-
  Time of the steady state in which a collective operation ran on a rank's GPUs and no other kernel
  did, over all of the steady state, on the rank with the least of it: that rank waits least for
  others. The mean over ranks is communication.exposed_share. Of one rank alone that was recorded, what it waits for others is part of it.
population: >-
  GPU operations of all streams of each rank with kernels in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
needs: [gpu_trace]
source: exposed communication as in TraceLens, of steps, the minimum over ranks
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel that communicates was seen in the steady state of a rank
---*/
SELECT min(exposed) / nullif(any_value(length), 0) AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'steady state'
HAVING count(*) > 0
