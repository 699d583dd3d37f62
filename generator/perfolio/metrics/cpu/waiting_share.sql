/*---
title: CPU cost of waiting for threads
unit: ratio
better: lower
definition: >-
  Share of CPU cost that was spent in libraries of parallel runtimes (OpenMP, MPI and its
  transports), in what MPI's libraries call, and in calls that wait (futex, poll, sleep, join, yield and the like). Such code
  waits or organises work. Waiting for a GPU is another metric, cpu.gpu_wait_share. With CPUTIME only waiting that
  spins has a cost, with REALTIME all of it.
population: call frames of all entry points and profiles, scope function
needs: [cpu_event]
source: >-
  Names of libraries and functions, listed in the models is_waiting and frame. The interval is the 95 %
  Wilson interval, where a trace, or the period of an event of perf, tells the number of samples
  (cost_samples)
caveat: >-
  Known by name only: waiting in a runtime that the list lacks is not counted, and work that a
  runtime does itself, such as moving messages, is.
empty: no thread has a CPU cost
---*/
SELECT value, low, high, n FROM role_share WHERE role = 'waiting'
