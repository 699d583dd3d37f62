/*---
title: GPU utilisation of the GPU span
unit: ratio
better: higher
definition: >-
  Share of the time from the first GPU operation to the end of the last one in which at least
  one kernel, copy or other operation runs on any stream of any GPU.
population: >-
  GPU operations of all streams over the GPU span
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT busy / nullif(span, 0) AS value FROM gpu_use WHERE run = $run
