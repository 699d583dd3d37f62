/*---
title: Copy busy time
unit: s
better: lower
definition: >-
  Time in which at least one copy runs on a GPU: the union of their intervals.
population: >-
  copies of all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
---*/
SELECT copy_busy / 1e9 AS value FROM gpu_use
