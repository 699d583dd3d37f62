/*---
title: Imbalance over threads that work
unit: x
better: lower
definition: >-
  Largest work of a thread over the mean over the threads that work, of a run of ranks within the rank
  where they differ most: 1 is perfect balance. Work is CPU cost without waiting, without the runtime
  of a GPU and without elapsed time that came late (see the metric cpu.late_share). If it could be spread evenly, the busiest
  thread would have this many times less, given a core for each thread.
population: >-
  CPU threads with at least 1 % of the work of their rank's busiest one; of several ranks the one
  with the largest figure, so that ranks are not compared with each other. n counts its threads
needs: [cpu_event, profiles]
source: max over mean, the inverse of POP's load balance
caveat: Threads with different tasks (a main thread, helpers of a library) differ by design.
empty: no rank has two threads that work
---*/
SELECT value, n
FROM (
    SELECT max(work) / avg(work) AS value, count(*) AS n
    FROM thread_work($run)
    WHERE works
    GROUP BY rank
    HAVING count(*) > 1
)
ORDER BY value DESC, n DESC
LIMIT 1
