/*---
title: GPU utilisation of wall time
unit: ratio
better: higher
definition: >-
  Share of the wall time in which at least one kernel, copy or other operation runs on any
  stream of a GPU.
population: >-
  GPU operations of all streams over the wall time; of several GPUs the mean
needs: [cpu_trace, gpu_trace]
source: traces
caveat: >-
  Says that something ran, not how much of the GPU it used.
---*/
SELECT gpu_use.busy / nullif(span.stop - span.start, 0) AS value
FROM gpu_use JOIN cpu_trace_span AS span ON true
