/*---
title: Steps' time spent in the optimizer
unit: ratio
better: lower
definition: >-
  Time in which main threads are in the optimizer's step or set gradients to zero, as a share of the steps: that part of steps.parts.
population: steps of main threads, complete ones that are no warm-up; 95 % interval over steps
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
caveat: >-
  As recorded: the profiler makes many short operators longer than they are.
empty: no main thread marked a step, or none was seen in an optimizer in one
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'optimizer' AND value > 0
