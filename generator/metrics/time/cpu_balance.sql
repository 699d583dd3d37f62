/*---
title: Load balance of CPU threads
unit: ratio
better: higher
definition: >-
  Mean running time of CPU threads over that of the thread that runs longest.
population: >-
  CPU trace lines in which the thread runs at all
needs: [cpu_trace]
source: >-
  POP's load balance: mean over maximum
caveat: >-
  Threads that were created and hardly run count as well; the timeline shows them. A thread runs
  for its CPU time where that was recorded, as traces lack samples, else as long as the trace says.
empty: no thread was sampled by CPU time; by elapsed time, this would compare how long threads lived
---*/
SELECT avg(running) / nullif(max(running), 0) AS value
FROM thread_running($run) AS thread
JOIN trace_line ON trace_line.run = $run AND trace_line.profile = thread.profile AND trace_line.clock = 'running'
WHERE running > 0
