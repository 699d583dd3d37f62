/*---
title: GPU operations in the trace
unit: count
better: neither
definition: >-
  Kernels, copies and other operations that GPU streams ran.
population: >-
  trace points of GPU streams that are not idle and whose end is known
needs: [gpu_trace]
source: traces
---*/
SELECT count(*) AS value FROM gpu_operation HAVING count(*) > 0
