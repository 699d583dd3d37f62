/*---
title: Work that came late
unit: ratio
better: lower
definition: >-
  Share of the elapsed time of code that works, waiting left out, in which the thread was not running it,
  at least: what its samples stand for beyond one punctual distance each. A timer of elapsed time
  interrupts a thread that runs, and wakes one that sleeps; a sample that comes late ends a time in
  which the thread had no core or was held by the kernel or the profiler.
population: >-
  call frames of CPU threads that work (at least 1 % of the work of their process's busiest one), scope
  function. The punctual distance of a thread is the one that one in twenty of its samples of such code is
  below, but no more than a tenth above the one that one in a hundred of the run's is below; with fewer than
  20 samples it is twice the median one of all, and so where that tells more
needs: [elapsed_time, cpu_event, profiles, cpu_trace, host_samples]
source: >-
  measure elapsed_time, which leaves the time of the profiler's own handler out, and its traces; the
  model late_cost, less 1.96 standard errors of the mean distance, which takes samples as independent; without each
  thread's latest sample, where that tells more
caveat: >-
  A thread that has no core, one within a long call of the kernel (a page fault, a disk), and one whose
  last sample the profiler is still at work on, are seen alike, and so are one whose signal the kernel delivers late, and one
  whose sample before the profiler dropped, as it does where that hits its own code. Else a lower bound: a thread that
  loses its core and has it again before a sample is due is not seen, nor is lateness that is charged to a function
  without samples of its own in the trace, as many a function of Python.
empty: the profile has CPU time, which passes only while a thread runs
---*/
SELECT sum(least(coalesce(late.late, 0), value.value)) / sum(value.value) AS value
FROM thread_work AS thread
JOIN metric ON metric.measure = 'elapsed_time' AND metric.scope = 'function' AND metric.statistic IS NULL
JOIN value ON value.profile = thread.profile AND value.metric = metric.id
JOIN frame AS roles ON roles.frame = value.context AND roles.role = 'working'
LEFT JOIN late_cost AS late ON late.profile = value.profile AND late.frame = value.context
WHERE thread.works AND cpu_event_of() = 'elapsed_time'
HAVING sum(value.value) > 0
