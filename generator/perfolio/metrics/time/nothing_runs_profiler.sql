/*---
title: Wall time that is most likely the profiler's own
unit: ratio
better: lower
definition: >-
  Of the metric time.nothing_runs_python, the part that ends with a sample taken a whole number of the timer's
  periods after the last one of its thread (see the metric time.nothing_runs_clocked): the thread ran, and the profiler
  dropped its samples.
population: >-
  CPU trace lines of all profiles; from the first trace point to the last
needs: [cpu_time, cpu_trace]
source: >-
  The model nothing_runs_python, of traces; timer_create(2) with CLOCK_THREAD_CPUTIME_ID, which Linux
  checks at each tick. Waits end on whole periods half of the time at most, by chance. So the low end
  leaves out as much of this part as the rest has, as if both were waits; the high end is that of no such
  wait
caveat: >-
  Waits that each last a whole number of the timer's periods are seen alike. What the profiler adds to the time that threads are
  seen running is not in it, nor what it drops in a stretch in which the thread waits as well.
empty: >-
  threads were sampled by elapsed time, the run works on a GPU, less than nine tenths of the time in
  which nothing runs end in Python, or threads may have waited for half of it or more
---*/
SELECT clocked / wall AS value, greatest(2 * clocked - spent, 0) / wall AS low, clocked / wall AS high, 'with waits by chance' AS "interval"
FROM nothing_runs_python
