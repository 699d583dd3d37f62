/*---
title: Longest gap
unit: s
better: lower
definition: >-
  The longest time within the span of a GPU in which no operation runs on any of its streams.
population: >-
  the GPU span, all streams; any GPU
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT coalesce(max(duration), 0) / 1e9 AS value FROM gpu_gap WHERE run = $run
