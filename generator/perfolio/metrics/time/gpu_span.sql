/*---
title: GPU span
unit: s
better: lower
definition: >-
  From the begin of a GPU's first operation to the end of its last one.
population: >-
  GPU operations of all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
---*/
SELECT sum(stop - start) / count(*) / 1e9 AS value FROM gpu_device HAVING count(*) > 0
