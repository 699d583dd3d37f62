/*---
title: Functions that initialise the GPU
better: lower
definition: >-
  The time of time.gpu_initialisation by function, as a share of the wall time, and the longest
  stretch of it between two samples.
population: >-
  threads that launch GPU operations, from the first trace point to the first GPU operation; all
  CPU threads and the whole run where no GPU operation was recorded. Threads at once count once
needs: [cpu_trace]
source: HPCToolkit's traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  Of a thread that is within the driver, waiting or working, no samples of CPU time are taken, so
  that the time between two samples is told by the later one. The profiler's own start-up within the driver
  counts as well.
empty: no thread was seen initialising a GPU
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of wall time', unit: ratio}
  - {name: longest, title: 'Longest stretch', unit: s}
---*/
SELECT name AS "function", sum(spent) / 1e9 AS "time",
    sum(spent) / nullif(any_value(span.length), 0) AS share, max(spent) / 1e9 AS longest
FROM (SELECT name, stop - start AS spent FROM gpu_initialisation($run)) AS stretch
CROSS JOIN (SELECT any_value(stop - start) AS length FROM cpu_trace_span WHERE run = $run) AS span
GROUP BY name
ORDER BY sum(spent) DESC, name
