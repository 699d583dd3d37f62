/*---
title: Time of steady iterations
unit: s
better: neither
definition: >-
  Time of the iterations that statistics are made of: complete ones that are no warm-up. The steady state also
  has the last one, which nothing shows the end of.
population: >-
  GPU operations; of several GPUs the mean
needs: [gpu_trace, iterations]
source: traces
empty: no iteration is complete and no warm-up
---*/
SELECT sum(duration) / 1e9 AS value FROM steady_iterations
