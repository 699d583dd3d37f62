/*---
title: Wall time in which a thread is seen running
unit: s
better: lower
definition: >-
  Wall time less the time in which no sample shows a CPU thread running and no GPU operation was
  recorded.
population: >-
  CPU trace lines and GPU streams of all profiles; from the first trace point to the last
needs: [cpu_time, cpu_trace]
source: traces
caveat: >-
  By samples of CPU time. Waits of the program for files or other processes are not in it, and what the
  profiler adds to the time that threads run is.
empty: threads were sampled by elapsed time, which passes while they wait as well
---*/
SELECT (span.stop - span.start - coalesce((SELECT sum(duration) FROM idle_time), 0)) / 1e9 AS value
FROM cpu_trace_span AS span
WHERE EXISTS (SELECT 1 FROM trace_line WHERE clock = 'running')
