/*---
title: Exposed copies, share of wall time
unit: ratio
better: lower
definition: >-
  Share of the wall time in which a copy runs on a GPU and no kernel does on the same one.
population: >-
  GPU operations of all streams over the wall time; of several GPUs the mean
needs: [cpu_trace, gpu_trace]
source: traces
---*/
SELECT (gpu_use.copy_busy - gpu_use.overlap) / nullif(span.stop - span.start, 0) AS value
FROM gpu_use JOIN cpu_trace_span AS span ON true
