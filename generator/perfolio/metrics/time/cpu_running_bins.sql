/*---
title: CPU threads seen over time
better: neither
definition: >-
  CPU threads that are seen, on average, in each of 240 equal parts of the run. By samples of CPU
  time these are those that run, by samples of elapsed time those that wait, too.
population: >-
  CPU trace lines of all profiles; the wall time
needs: [cpu_trace]
source: traces
caveat: >-
  By samples of CPU time, a sample stands for one period of it: the median distance of two
  samples, or the thread's CPU time over its samples where the profile tells it and that is less; and for
  the time before it where the profile charges it with more than ten periods. So no thread runs for longer than its CPU
  time. By samples of elapsed time, a thread counts to
  the next point, for ten times that distance at most, and also while it waits.
columns:
  - {name: bin, title: 'Bin', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: stop, title: 'End', unit: s}
  - {name: running, title: 'Threads', unit: threads}
---*/
WITH running AS (
    SELECT bin // 5 AS bin, sum(busy) AS busy FROM trace_bin WHERE kind = 'CPU thread' GROUP BY bin // 5
)
SELECT slot.bin, (slot.start - span.start) / 1e9 AS start, (slot.stop - span.start) / 1e9 AS stop,
    coalesce(running.busy, 0) / (slot.stop - slot.start) AS running
FROM (SELECT bin // 5 AS bin, min(start) AS start, max(stop) AS stop FROM run_bins GROUP BY bin // 5) AS slot
CROSS JOIN (SELECT start FROM traced_span) AS span
LEFT JOIN running ON running.bin = slot.bin
ORDER BY slot.bin
