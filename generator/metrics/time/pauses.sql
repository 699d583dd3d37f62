/*---
title: Idle time within iterations without their long waits
unit: s
better: lower
definition: >-
  Idle time of the GPU in steady iterations. The longest gap of each iteration is left out where it is a
  wait of its own: more than 5 ms and a fifth of the iteration, by the medians.
population: complete iterations that are no warm-up; of several GPUs the mean
needs: [gpu_trace, iterations]
source: HPCToolkit's traces
---*/
SELECT coalesce(sum(duration), 0) / gpus($run) / 1e9 AS value FROM short_gaps($run)
