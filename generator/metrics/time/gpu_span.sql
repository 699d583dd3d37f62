/*---
title: GPU span
unit: s
better: lower
definition: >-
  From the begin of the first GPU operation to the end of the last one.
population: >-
  GPU operations of all streams
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT (stop - start) / 1e9 AS value FROM gpu_span WHERE run = $run
