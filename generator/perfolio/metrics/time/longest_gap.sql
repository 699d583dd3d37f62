/*---
title: Longest gap
unit: s
better: lower
definition: >-
  The longest time within steady iterations in which no operation runs on any stream of a GPU. Start-up,
  warm-up and the end of the run are not in it.
population: >-
  steady iterations, or the GPU span where none were found; all streams, any GPU
needs: [gpu_trace]
source: traces
---*/
SELECT coalesce(max(duration), 0) / 1e9 AS value FROM steady_gaps
