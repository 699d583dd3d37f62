/*---
title: Wait for the slowest rank, share of the steady state
unit: ratio
better: lower
definition: >-
  Delay of the rank with the least time in collectives against the median of the others, over the time of the steady
  state: what the others wait for it, and the most that the steady state could gain if it were as fast as their median.
population: >-
  GPU operations of all streams of each rank in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
needs: [gpu_trace, ranks]
source: communication.late_by
empty: >-
  no kernel that communicates was seen in the steady state of two ranks or more
---*/
SELECT delay / nullif(length, 0) AS value, n FROM late_rank WHERE n > 0
