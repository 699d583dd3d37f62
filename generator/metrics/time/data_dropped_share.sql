/*---
title: Input data without samples while the CPU clock runs
unit: ratio
better: lower
definition: >-
  Of the main thread's elapsed time between two samples that are both in the phase of input data, the whole periods of the timer
  without a sample. The timer goes by the thread's CPU time, so that the thread ran, but its samples were dropped,
  as they are where they hit the profiler's own code: its hook in Python, which Python calls at each call.
population: >-
  the lowest-numbered CPU thread of the run, of several ranks those of all
needs: [cpu_trace]
source: >-
  HPCToolkit's traces; names of functions in the store's table phase_pattern; hpcrun/logical/python.c sets the hook;
  timer_create(2) with CLOCK_THREAD_CPUTIME_ID
caveat: >-
  Waits that each last a whole number of periods look the same: by chance a quarter of long ones do.
empty: >-
  no main thread was sampled by CPU time twice in a row in input data, or nearly all gaps between samples are whole periods, as they are where a tick is as long as a period
---*/
SELECT dropped / nullif(spent, 0) AS value
FROM dropped_samples($run)
WHERE phase = 'data'
