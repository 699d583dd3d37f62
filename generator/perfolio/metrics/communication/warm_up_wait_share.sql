/*---
title: Waiting for another rank in the warm-up, share of wall time
unit: ratio
better: lower
definition: >-
  Mean over ranks of the time in iterations of the warm-up in which a collective operation ran on the rank's
  GPUs and no other kernel did, less that of the rank with the least of it, over the wall time: the others wait for
  that rank. They do so in a kernel, so that this is no idle time of a GPU.
population: GPU operations of all streams of each rank, from its first iteration to the end of the warm-up
needs: [cpu_trace, gpu_trace, ranks, iterations]
source: as communication.straggler_wait
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound.
empty: no kernel that communicates was seen in a warm-up of two ranks or more
---*/
SELECT (avg(exposed) - min(exposed)) / (SELECT nullif(stop - start, 0) FROM cpu_trace_span) AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'warm-up'
HAVING count(*) > 1
