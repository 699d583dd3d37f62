/*---
title: Threads that work
unit: threads
better: neither
definition: >-
  Threads with at least a hundredth of the CPU cost of the busiest one: a main thread, workers, and
  helpers that do more than wait.
population: threads that have any CPU cost (context 0 at scope execution of their profiles)
needs: [cpu_event, profiles]
source: HPCToolkit's CPU events; the hundredth is proposed
empty: no thread has a CPU cost
---*/
SELECT nullif(count(*) FILTER (WHERE cost >= 0.01 * largest), 0) AS value
FROM (
    SELECT profile_total.value AS cost, max(profile_total.value) OVER () AS largest
    FROM profile_total
    WHERE profile_total.run = $run AND profile_total.name = cpu_event_of($run) AND profile_total.value > 0
)
