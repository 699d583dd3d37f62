/*---
title: Load balance over threads
unit: ratio
better: higher
definition: >-
  Mean work of the threads that work over the largest, of a run of ranks within the rank where they
  differ most: 1 is perfect balance. Work is CPU cost without waiting, without the runtime of a GPU and
  without elapsed time that came late (see the metric cpu.late_share).
population: >-
  CPU threads with at least 1 % of the work of their rank's busiest one; of several ranks the one
  with the smallest figure
needs: [cpu_event, profiles]
source: POP's load balance
caveat: Threads with different tasks (a main thread, helpers of a library) differ by design.
empty: no rank has two threads that work
---*/
SELECT value, n
FROM (
    SELECT avg(work) / max(work) AS value, count(*) AS n
    FROM thread_work($run)
    WHERE works
    GROUP BY rank
    HAVING count(*) > 1
)
ORDER BY value, n DESC
LIMIT 1
