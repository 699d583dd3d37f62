/*---
title: Waiting of helper threads
unit: ratio
better: neither
definition: >-
  Elapsed time that threads other than main ones spent in libraries of parallel runtimes (OpenMP, MPI
  and its transports) and in calls that wait, as a share of the elapsed time of all threads.
population: >-
  all CPU threads but the lowest-numbered one of each process;
  call frames, scope function
needs: [elapsed_time, cpu_event, profiles]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: the profile has CPU time, in which waiting that sleeps has no cost
---*/
SELECT coalesce(sum(cost), 0) / total_of('elapsed_time') AS value
FROM helpers_waiting
HAVING cpu_event_of() = 'elapsed_time' AND total_of('elapsed_time') > 0
