/*---
title: Collectives by rank
better: lower
definition: >-
  Time in which collective operations ran on each rank's GPUs, the part of it in which no other
  kernel did, the time in which other kernels ran, and the time in which no kernel did. The rank
  with the least time in collectives is first: it is the one that the others wait for.
population: >-
  GPU operations of all streams of each rank in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found; the first 1,000 ranks
needs: [gpu_trace]
source: traces
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel that communicates was seen in the steady state of a rank
columns:
  - {name: rank, title: 'Rank', unit: id}
  - {name: busy, title: 'In collectives', unit: s}
  - {name: exposed, title: 'Beside no other kernel', unit: s}
  - {name: share, title: 'Share of the steady state', unit: ratio}
  - {name: others, title: 'Other kernels', unit: s}
  - {name: rest, title: 'No kernel', unit: s}
---*/
SELECT rank, busy / 1e9 AS busy, exposed / 1e9 AS exposed, exposed / nullif(length, 0) AS share,
    others / 1e9 AS others, rest / 1e9 AS rest
FROM collectives_by_rank
WHERE phase = 'steady state'
ORDER BY busy, exposed, rank
LIMIT 1000
