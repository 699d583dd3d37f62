/*---
title: Gaps between GPU operations
unit: count
better: lower
definition: >-
  Intervals within the GPU span in which no GPU operation runs on any stream.
population: >-
  the GPU span, all streams
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT count(*) AS value FROM gpu_gap WHERE run = $run
