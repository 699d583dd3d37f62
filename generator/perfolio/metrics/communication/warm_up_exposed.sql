/*---
title: Exposed communication of the warm-up
unit: s
better: lower
definition: >-
  Mean over ranks of the time in iterations of the warm-up in which a collective operation ran on
  the rank's GPUs and no other kernel did. Most of it is waiting for the rank that starts last; no
  other figure of communication contains it.
population: GPU operations of all streams of each rank, from its first iteration to the end of the warm-up
needs: [gpu_trace, iterations]
source: as communication.exposed_share
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: no kernel that communicates was seen in a warm-up of a rank
---*/
SELECT avg(exposed) / 1e9 AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'warm-up'
HAVING count(*) > 0
