/*---
title: Chunks in which the GPU is mostly idle
unit: count
better: lower
definition: >-
  Of 30 equal parts of the GPU span, those in which operations run on a GPU for less than half
  of the time.
population: >-
  all streams, of several GPUs the mean; from the first operation of any GPU to the end of the
  last one
needs: [gpu_trace]
source: the 30 chunks of Nsight Systems' rule gpu_time_util
---*/
SELECT count(*) AS value FROM gpu_bins($run, 30, 'gpu') WHERE busy < 0.5 * (stop - start)
