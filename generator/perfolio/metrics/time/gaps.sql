/*---
title: Gaps between GPU operations
unit: count
better: lower
definition: >-
  Intervals within steady iterations in which no operation runs on any stream of a GPU.
population: >-
  steady iterations, or the GPU span where none were found; all streams, of several GPUs the
  sum
needs: [gpu_trace]
source: traces
---*/
SELECT count(*) AS value FROM steady_gaps
