/*---
title: Collectives by rank
better: lower
definition: >-
  Time in which collective operations ran on each rank's GPUs, the part of it in which no other
  kernel did, and the time in which other kernels ran. The rank with the least time in them is
  first: it is the one that the others wait for.
population: GPU operations of all streams of each rank; the first 1,000 ranks
needs: [gpu_trace, ranks]
source: HPCToolkit's traces
caveat: >-
  Known by the names of kernels of NCCL and RCCL. HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel of NCCL or RCCL was seen on two ranks or more
columns:
  - {name: rank, title: 'Rank', unit: id}
  - {name: busy, title: 'In collectives', unit: s}
  - {name: exposed, title: 'Beside no other kernel', unit: s}
  - {name: share, title: 'Exposed share', unit: ratio}
  - {name: others, title: 'Other kernels', unit: s}
---*/
SELECT rank, busy / 1e9 AS busy, exposed / 1e9 AS exposed, exposed / nullif(busy, 0) AS share, others / 1e9 AS others
FROM collectives_by_rank($run)
ORDER BY busy, exposed, rank
LIMIT 1000
