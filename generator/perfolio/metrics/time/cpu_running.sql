/*---
title: CPU threads seen at once
unit: threads
better: neither
definition: >-
  CPU threads that are seen at once, on average over the wall time. By samples of CPU time these are those
  that run, by samples of elapsed time those that wait, too.
population: >-
  CPU trace lines of all profiles
needs: [cpu_trace]
source: traces
caveat: >-
  By samples of CPU time, a sample stands for one period of it: the median distance of two
  samples, or the thread's CPU time over its samples where the profile tells it and that is less; and for
  the time before it where the profile charges it with more than ten periods. So no thread runs for longer than its CPU
  time. By samples of elapsed time, a thread counts to
  the next point, for ten times that distance at most, and also while it waits. Lost samples make
  the number too small: CPU time per wall time, where it was recorded, has those that the trace alone lacks,
  and lacks those that the profiler dropped, as it does in its own code.
---*/
SELECT coalesce((SELECT sum(duration) FROM cpu_time), 0) / nullif(stop - start, 0) AS value
FROM cpu_trace_span
