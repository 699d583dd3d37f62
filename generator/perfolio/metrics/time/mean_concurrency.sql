/*---
title: Mean concurrency
unit: x
better: higher
definition: >-
  Operations that run at once on a GPU, on average over the time in which any does.
population: >-
  GPU operations of all streams and GPUs
needs: [gpu_trace]
source: traces
---*/
SELECT work / nullif(busy, 0) AS value FROM gpu_use
