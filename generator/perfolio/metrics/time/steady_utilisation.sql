/*---
title: GPU utilisation of steady iterations
unit: ratio
better: higher
definition: >-
  Share of the time of iterations in which at least one operation runs on any stream of a
  GPU. Start-up, warm-up and what follows the last iteration are left out, so that longer runs
  have the same figure.
population: >-
  complete iterations that are no warm-up; of several GPUs the mean
needs: [gpu_trace, iterations]
source: traces
caveat: >-
  Says that something ran, not how much of the GPU it used.
empty: every iteration is warm-up
---*/
SELECT sum(gpu_busy) / nullif(sum(duration), 0) AS value, nullif(count(*), 0) AS n
FROM steady_iterations
