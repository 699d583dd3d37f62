/*---
title: Wall time in which no thread is seen running
unit: ratio
better: lower
definition: >-
  Share of the wall time in which no sample shows a CPU thread running and no GPU operation was
  recorded.
population: >-
  CPU trace lines and GPU streams of all profiles; from the first trace point to the last
needs: [cpu_time, cpu_trace]
source: traces
caveat: >-
  By samples of CPU time: a thread that is within a call, waits for a disk or another process, or
  has no core is seen alike, and so is one in which the profiler itself runs: a sample that hits the
  profiler's code is dropped. With Python's functions recorded (hpcrun -a python) the profiler's code runs
  at each call in Python, so that Python shows more of it than there would be without a profiler.
empty: threads were sampled by elapsed time, which passes while they wait as well
---*/
SELECT coalesce((SELECT sum(duration) FROM idle_time), 0) / nullif(span.stop - span.start, 0) AS value
FROM cpu_trace_span AS span
WHERE EXISTS (SELECT 1 FROM trace_line WHERE clock = 'running')
