/*---
title: Delay of the slowest rank against the median of the others
unit: s
better: lower
definition: >-
  Time in which the rank with the least time in collectives ran other kernels beyond the median of
  the other ranks, and likewise the time in which it ran no kernel, but no more than the median of
  the others is longer in collectives: what the others wait for, and the most that the run could
  gain if that rank were as fast as the median of the others.
population: >-
  GPU operations of all streams of each rank in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
needs: [gpu_trace, ranks]
source: communication.by_rank
empty: >-
  no kernel that communicates was seen in the steady state of two ranks or more
---*/
SELECT delay / 1e9 AS value, n FROM late_rank WHERE n > 0
