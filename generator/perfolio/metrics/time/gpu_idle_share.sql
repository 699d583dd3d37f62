/*---
title: GPU idle share of wall time
unit: ratio
better: lower
definition: >-
  Share of the wall time in which no operation runs on a GPU: one minus the utilisation.
population: >-
  GPU operations of all streams over the wall time; of several GPUs the mean
needs: [cpu_trace, gpu_trace]
source: traces
---*/
SELECT 1 - gpu_use.busy / nullif(span.stop - span.start, 0) AS value
FROM gpu_use JOIN cpu_trace_span AS span ON true
