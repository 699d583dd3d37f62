/*---
title: Input data without samples while the CPU clock runs
unit: ratio
better: lower
definition: >-
  Share of the main thread's elapsed time in input data (see time.main_thread) in which the profiler dropped its samples
  while its CPU clock ran, as it does of samples that hit its own code: in Python, a hook that runs at each call.
population: >-
  the lowest-numbered CPU thread of the run, of several ranks those of all
needs: [cpu_trace]
source: >-
  traces; names of functions in the store's table phase_pattern; hpcrun/logical/python.c sets the hook;
  timer_create(2) with CLOCK_THREAD_CPUTIME_ID
caveat: >-
  Waits that each last a whole number of the timer's periods look the same.
empty: >-
  no main thread was sampled by CPU time in input data, or nearly all gaps between samples are whole periods, as
  they are where a tick is as long as a period
---*/
SELECT value FROM dropped_share WHERE part = 'data' AND value IS NOT NULL
