/*---
title: Main thread's time that functions tell
unit: ratio
better: neither
definition: >-
  Share of the main thread's elapsed time of which functions on the calling path tell what the program
  does: all parts of the metric time.main_thread but other, and of waits for the GPU and
  the profiler's own calls those in a phase that is told.
population: >-
  the lowest-numbered CPU thread of each process, from its first
  trace point to its last sample
needs: [cpu_trace]
source: traces; names of functions and files in the store's table phase_pattern
empty: no main thread was sampled
---*/
SELECT coalesce(sum(spent) FILTER (WHERE part <> 'other'), 0) / sum(spent) AS value
FROM main_stretch
HAVING sum(spent) > 0
