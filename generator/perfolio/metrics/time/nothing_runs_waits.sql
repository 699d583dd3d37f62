/*---
title: Waits in the wall time in which no thread is seen running, at most
unit: s
better: lower
definition: >-
  Twice what of the metric time.nothing_runs_python does not end a whole number of the timer's periods after the last sample
  of its thread: waits end on whole periods half of the time at most, by chance. They would be there
  without the profiler, too.
population: >-
  CPU trace lines of all profiles; from the first trace point to the last
needs: [cpu_time, cpu_trace]
source: >-
  The model nothing_runs_python, of traces; timer_create(2) with CLOCK_THREAD_CPUTIME_ID, which Linux
  checks at each tick
caveat: >-
  Waits that each last a whole number of the timer's periods count as none. Of a stretch in which the profiler drops samples
  and the thread waits as well, all counts.
empty: >-
  threads were sampled by elapsed time, the run works on a GPU, less than nine tenths of the time in
  which nothing runs end in Python, or threads may have waited for half of it or more
---*/
SELECT least(2 * (spent - clocked), spent) / 1e9 AS value
FROM nothing_runs_python
