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
  Threads that were created and hardly run count as well; the timeline shows them.
---*/
SELECT avg(running) / nullif(max(running), 0) AS value
FROM (SELECT sum(duration) AS running FROM cpu_time WHERE run = $run GROUP BY profile)
