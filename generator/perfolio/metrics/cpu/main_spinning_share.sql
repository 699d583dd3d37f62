/*---
title: Spinning of main threads
unit: ratio
better: lower
definition: >-
  Share of the CPU time of main threads that was spent in libraries of parallel runtimes (OpenMP, MPI
  and its transports), in what MPI's libraries call, and in calls that wait.
population: >-
  the lowest-numbered CPU thread of each process; call frames,
  scope function
needs: [cpu_time, cpu_event, profiles]
source: names of libraries and functions, listed in the models is_waiting and frame
caveat: >-
  Known by name only, as for the CPU cost of waiting for threads. Waiting that sleeps has no CPU time.
empty: no main thread has CPU time, or another event ranks the run's cost
---*/
SELECT coalesce(sum(value.value) FILTER (WHERE roles.role = 'waiting'), 0) / sum(value.value) AS value
FROM value
JOIN main_threads AS main ON main.profile = value.profile
JOIN metric ON metric.id = value.metric
JOIN frame AS roles ON roles.frame = value.context
WHERE metric.measure = 'cpu_time' AND metric.scope = 'function' AND cpu_event_of() = 'cpu_time'
HAVING sum(value.value) > 0
