/*---
title: Distance of samples of CPU threads
unit: s
better: neither
definition: >-
  The usual time from one sample of a CPU thread to its next: their median over the run, or a thread's CPU time
  per sample where that is known and less, of the thread where it is largest.
population: CPU trace lines of all profiles
needs: [cpu_trace]
source: traces
empty: no CPU thread was sampled
---*/
SELECT max(longest / CASE clock WHEN 'running' THEN 1 ELSE 10 END) / 1e9 AS value
FROM trace_line
WHERE kind = 'CPU thread'
HAVING max(longest) > 0
