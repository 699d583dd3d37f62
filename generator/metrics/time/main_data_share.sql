/*---
title: Main thread's time spent on input data
unit: ratio
better: lower
definition: >-
  Share of the main thread's elapsed time in which it prepares input data, as functions on the calling path
  tell it: that part of the metric time.main_thread.
population: >-
  the lowest-numbered CPU thread of each rank, or of the run where there are no ranks, from its first
  trace point to its last sample
needs: [cpu_trace]
source: HPCToolkit's traces; names of functions and files in the store's table phase_pattern
caveat: >-
  As profiled: where the profiler slows down Python, this is too large.
empty: no main thread was sampled
---*/
SELECT coalesce(sum(spent) FILTER (WHERE part = 'data'), 0) / sum(spent) AS value
FROM main_stretches($run)
HAVING sum(spent) > 0
