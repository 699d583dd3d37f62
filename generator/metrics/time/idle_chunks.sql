/*---
title: Chunks in which the GPU is mostly idle
unit: count
better: lower
definition: >-
  Of 30 equal parts of the GPU span, those in which GPU operations run for less than half of
  the time.
population: >-
  the GPU span, all streams
needs: [gpu_trace]
source: the 30 chunks of Nsight Systems' rule gpu_time_util
---*/
SELECT count(*) AS value FROM gpu_bins($run, 30, 'gpu') WHERE busy < 0.5 * (stop - start)
