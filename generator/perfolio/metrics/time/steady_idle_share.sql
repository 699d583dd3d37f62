/*---
title: GPU idle share of steady iterations
unit: ratio
better: lower
definition: >-
  Share of the time of steady iterations in which no operation runs on any stream of a GPU. Where no
  iterations were found, of the time from the first GPU operation of the run to the last one: a GPU that begins later, or
  ends earlier, is idle there.
population: >-
  complete iterations that are no warm-up, or the time from the first operation of any GPU to the last one; of several GPUs
  that take part (run.gpus) the mean
needs: [gpu_trace]
source: traces
empty: the GPU is never idle
---*/
SELECT coalesce(
    (SELECT sum(duration - gpu_busy) / nullif(sum(duration), 0) FROM steady_iterations),
    (SELECT nullif(sum(idle), 0) / nullif(sum(length), 0) FROM steady_idle)
) AS value
