/*---
title: CPU cost of work
unit: "1"
better: lower
definition: >-
  CPU cost without code that waits or runs a parallel runtime, without what MPI's libraries call, and without the runtime of a GPU
  and what it calls: what the program and its libraries compute, with elapsed time that came late (see the
  metric cpu.late_share). In the unit of the run's CPU event.
population: call frames of all entry points and profiles, scope function
needs: [cpu_event]
source: names of libraries and functions, listed in the models is_waiting and is_gpu_runtime
caveat: >-
  Known by name only: waiting in a runtime that the list lacks counts as work.
empty: no code that works has a CPU cost
---*/
SELECT value FROM (SELECT work_of() AS value) WHERE value > 0
