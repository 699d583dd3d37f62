/*---
title: CPU threads that run
unit: threads
better: neither
definition: >-
  CPU threads that run at once, on average over the wall time.
population: >-
  CPU trace lines of all profiles
needs: [cpu_trace]
source: HPCToolkit's traces
caveat: >-
  A thread counts from a sample to the next point, but for ten times the median distance of
  samples at most: HPCToolkit takes no samples of a waiting thread. Lost samples make the
  number too small.
---*/
SELECT coalesce((SELECT sum(duration) FROM cpu_time WHERE run = $run), 0) / nullif(stop - start, 0) AS value
FROM cpu_trace_span WHERE run = $run
