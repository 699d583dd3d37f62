/*---
title: Steps' time spent on input data
unit: ratio
better: lower
definition: >-
  Time in which main threads prepare or await input data, as a share of the steps: that part of steps.parts.
population: steps of main threads, complete ones that are no warm-up; 95 % interval over steps
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
caveat: >-
  As recorded. Input is told by the data loader and by names of functions; other input counts as the rest.
empty: no main thread marked a step, or none was seen to prepare or await input in one
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'input' AND value > 0
