/*---
title: Load balance of CPU threads
unit: ratio
better: higher
definition: >-
  Mean running time of CPU threads over that of the thread that runs longest.
population: >-
  CPU trace lines of threads that work (at least 1 % of the work of their process's busiest one), or of
  all that run where the profile does not tell; one thread alone has no balance
needs: [cpu_trace]
source: >-
  POP's load balance: mean over maximum
caveat: >-
  A thread runs
  for its CPU time where that was recorded, as traces lack samples, else as long as the trace says. Nothing is said
  where threads may have run for long without a sample (see time.efficiency).
empty: >-
  CPU threads may have run while no sample shows one, or fewer than two threads that work were sampled by CPU time; by
  elapsed time, this would compare how long threads lived
---*/
SELECT avg(running) / nullif(max(running), 0) AS value
FROM thread_running AS thread
JOIN trace_line ON trace_line.profile = thread.profile AND trace_line.clock = 'running'
LEFT JOIN thread_work AS worker ON worker.profile = thread.profile
WHERE running > 0 AND samples_tell_running() AND (worker.works OR NOT EXISTS (SELECT 1 FROM thread_work WHERE works))
HAVING count(*) > 1
