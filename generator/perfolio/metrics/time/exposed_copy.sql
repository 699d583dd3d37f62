/*---
title: Exposed copy time
unit: s
better: lower
definition: >-
  Time in which a copy runs on a GPU and no kernel does on the same one.
population: >-
  GPU operations of all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
---*/
SELECT (copy_busy - overlap) / 1e9 AS value FROM gpu_use
