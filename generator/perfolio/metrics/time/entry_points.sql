/*---
title: Thread time by entry point
better: neither
definition: >-
  Time for which CPU threads were seen, by entry point: the main thread, threads that the
  program created, and code of unknown origin.
population: >-
  CPU trace lines of all profiles; time summed over threads
needs: [cpu_trace]
source: traces
caveat: >-
  A sample of CPU time stands for one period of it, or for the time before it too where the
  profile charges it with more than ten; no thread runs for longer than its CPU time where the
  profile tells it; by samples of elapsed time, waiting counts as well. The
  profiler loses samples: a CPU event of the profile is more exact where it was recorded.
columns:
  - {name: name, title: 'Entry point', unit: text}
  - {name: time, title: 'Time', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT '<' || context.entry_point || '>' AS name, sum(cpu_time.duration) / 1e9 AS "time",
    sum(cpu_time.duration) / sum(sum(cpu_time.duration)) OVER () AS share
FROM cpu_time JOIN context ON context.id = cpu_time.context
GROUP BY context.entry_point
ORDER BY sum(cpu_time.duration) DESC, context.entry_point
