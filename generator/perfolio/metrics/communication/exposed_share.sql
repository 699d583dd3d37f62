/*---
title: Exposed communication, mean of ranks, share of the steady state
unit: ratio
better: lower
definition: >-
  Mean over ranks with kernels of the time in which a collective operation ran on the rank's GPUs and no other
  kernel did, over the time of the steady state. Waits for a late rank are part of it.
  In the parts of the wall time (time.wall_parts) the warm-up has its own as well, and the whole is the wall time.
population: >-
  GPU operations of all streams of each rank with kernels in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
needs: [gpu_trace]
source: exposed communication as in TraceLens, of steps
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel that communicates was seen in the steady state of a rank
---*/
SELECT avg(exposed) / nullif(any_value(length), 0) AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'steady state'
HAVING count(*) > 0
