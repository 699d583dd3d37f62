/*---
title: Longest gap
unit: s
better: lower
definition: >-
  The longest time within the GPU span in which no GPU operation runs on any stream.
population: >-
  the GPU span, all streams
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT coalesce(max(duration), 0) / 1e9 AS value FROM gpu_gap WHERE run = $run
