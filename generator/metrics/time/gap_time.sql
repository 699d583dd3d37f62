/*---
title: Time in gaps
unit: s
better: lower
definition: >-
  Time within the GPU span in which no GPU operation runs on any stream.
population: >-
  the GPU span, all streams
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT coalesce(sum(duration), 0) / 1e9 AS value FROM gpu_gap WHERE run = $run
