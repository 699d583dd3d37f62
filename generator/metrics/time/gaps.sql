/*---
title: Gaps between GPU operations
unit: count
better: lower
definition: >-
  Intervals within the span of a GPU in which no operation runs on any of its streams.
population: >-
  the GPU span, all streams; of several GPUs the sum
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT count(*) AS value FROM gpu_gap WHERE run = $run
