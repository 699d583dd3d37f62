/*---
title: Imbalance over threads
unit: x
better: lower
definition: >-
  Largest CPU cost of a thread over the mean over threads: 1 is perfect balance. If the work
  could be spread evenly, the slowest thread would take this many times less.
population: >-
  threads that have any CPU cost (context 0 at scope execution of their profiles); threads
  without samples do not count
needs: [cpu_event, profiles]
source: max over mean, the inverse of POP's load balance
caveat: Threads with different tasks (a main thread, helpers of a library) differ by design.
empty: fewer than two threads have a CPU cost
---*/
SELECT max(cost) / avg(cost) AS value, count(*) AS n
FROM (
    SELECT profile_total.value AS cost
    FROM profile_total
    WHERE profile_total.run = $run AND profile_total.name = cpu_event_of($run) AND profile_total.value > 0
)
HAVING count(*) > 1
