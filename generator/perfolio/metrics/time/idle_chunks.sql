/*---
title: Chunks in which the GPU is mostly idle
unit: count
better: lower
definition: >-
  Of 30 equal parts of the time of steady iterations, those in which operations run on a GPU for less than half
  of the time.
population: >-
  from the first to the last steady iteration, or the GPU span where none were found; all streams, of
  several GPUs the mean
needs: [gpu_trace]
source: Nsight Systems' rule gpu_time_util, which has 30 chunks of the GPU's time
---*/
SELECT count(*) AS value FROM gpu_bins WHERE whole = 'steady' AND busy < 0.5 * (stop - start)
