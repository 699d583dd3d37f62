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
---*/
SELECT avg(running) / nullif(max(running), 0) AS value
FROM thread_running($run)
WHERE running > 0
