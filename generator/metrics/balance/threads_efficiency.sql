/*---
title: Load balance over threads
unit: ratio
better: higher
definition: >-
  Mean CPU cost over threads over the largest: 1 is perfect balance.
population: >-
  threads that have any CPU cost (context 0 at scope execution of their profiles); threads
  without samples do not count
needs: [cpu_event, profiles]
source: POP's load balance
caveat: Threads with different tasks (a main thread, helpers of a library) differ by design.
empty: fewer than two threads have a CPU cost
---*/
SELECT avg(cost) / max(cost) AS value, count(*) AS n
FROM (
    SELECT profile_total.value AS cost
    FROM profile_total
    WHERE profile_total.run = $run AND profile_total.name = cpu_event_of($run) AND profile_total.value > 0
)
HAVING count(*) > 1
