/*---
title: Kernels of the slowest rank
unit: s
better: lower
definition: >-
  Time in which kernels other than collectives ran on the GPUs of the rank with the most of it,
  beyond the median over ranks: what the others wait for, if they meet in collectives, and the most
  that the run could gain if that rank were as fast as the median one.
population: kernels of all streams of each rank
needs: [gpu_trace, ranks]
source: communication.by_rank, the maximum over ranks less the median
caveat: >-
  Tells more work from a slower device no better than kernel times do: compare both. Not seen is a
  rank that is late because of its host.
empty: >-
  no kernel of NCCL or RCCL was seen on two ranks or more
---*/
SELECT (max(used.others) - median(used.others)) / 1e9 AS value, count(*) AS n
FROM collectives_by_rank($run) AS used
HAVING count(*) > 0
