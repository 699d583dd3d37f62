/*---
title: CPU cost of waiting
unit: ratio
better: lower
definition: >-
  Share of CPU cost that was spent in libraries of parallel runtimes (OpenMP, MPI and its
  transports) and in calls that wait (futex, poll, sleep, join, yield and the like). Such code
  waits or organises work. With CPUTIME only waiting that spins has a cost, with REALTIME all of it.
population: call frames of all entry points and profiles, scope function
needs: [cpu_event]
source: names of libraries and functions, listed in the store's macro is_waiting
caveat: >-
  Known by name only: waiting in a runtime that the list lacks is not counted, and work that a
  runtime does itself, such as moving messages, is.
empty: no thread has a CPU cost
---*/
SELECT coalesce(sum(exclusive) FILTER (WHERE is_waiting(module_path, name)), 0) / sum(exclusive) AS value
FROM frame_cost($run, cpu_event_of($run))
HAVING sum(exclusive) > 0
