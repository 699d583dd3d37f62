/*---
title: Median step
unit: s
better: lower
definition: >-
  How long an iteration lasts where the program or its profiler marks steps, as recorded: time.iteration_median, or in a run without
  GPU operations the median of the steps from begin to end on the host. How long the host alone is in a step is in operators.steps.
population: complete iterations that are no warm-up; without GPU operations steps of main threads, without leading ones that are longer than usual
needs: [steps]
source: begin and end of each step; GPU operations
caveat: As recorded, with what the profiler costs.
empty: no main thread marked a step, and no GPU iteration is complete and no warm-up
---*/
SELECT recorded AS value, n FROM host_step_time
