/*---
title: GPU utilisation of the GPU span
unit: ratio
better: higher
definition: >-
  Share of the time from the first operation of a GPU to the end of its last one in which at
  least one kernel, copy or other operation runs on any of its streams.
population: >-
  GPU operations of all streams over the spans of all GPUs
needs: [gpu_trace]
source: traces
---*/
SELECT busy / nullif(span, 0) AS value FROM gpu_use
