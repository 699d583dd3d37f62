/*---
title: GPU idle share of steady iterations
unit: ratio
better: lower
definition: >-
  Share of the time of steady iterations in which no operation runs on any stream of a GPU. Where no
  iterations were found, of the time from the first GPU operation to the last one.
population: >-
  complete iterations that are no warm-up, or the GPU span; of several GPUs the mean
needs: [gpu_trace]
source: traces
empty: the GPU is never idle
---*/
SELECT coalesce(
    (SELECT sum(duration - gpu_busy) / nullif(sum(duration), 0) FROM steady_iterations),
    (SELECT (SELECT sum(duration) FROM gpu_gap) / gpus() / nullif(stop - start, 0) FROM gpu_span)
) AS value
