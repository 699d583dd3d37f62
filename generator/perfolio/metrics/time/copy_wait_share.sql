/*---
title: Waits for copies, share of wall time
unit: ratio
better: lower
definition: >-
  Share of the wall time in which a copy runs on a GPU, no kernel does, and the next kernel may wait for the copy: it
  starts no sooner than the copy ends. Where kernels of a GPU run in several streams, every copy beside no kernel counts.
population: >-
  GPU operations of all streams over the wall time; of several GPUs the mean
needs: [cpu_trace, gpu_trace]
source: traces
caveat: >-
  Which operation waits for which is not recorded: an upper bound.
---*/
SELECT wait.copy / nullif(span.stop - span.start, 0) AS value
FROM cpu_trace_span AS span
JOIN copy_waits_in_parts AS wait ON wait.part = 'run'
