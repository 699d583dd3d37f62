/*---
title: Exposed copy time
unit: s
better: lower
definition: >-
  Time in which a copy runs and no kernel does.
population: >-
  GPU operations of all streams
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT (copy_busy - overlap) / 1e9 AS value FROM gpu_use WHERE run = $run
