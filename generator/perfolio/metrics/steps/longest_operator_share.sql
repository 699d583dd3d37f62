/*---
title: Steps' time in one operator that is no product
unit: ratio
better: lower
definition: >-
  Largest share of steps that main threads spend in the own code of one operator, by name, that is no product, convolution,
  attention, input or optimizer.
population: steps of main threads, complete ones that are no warm-up; 95 % interval over steps
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
empty: no main thread marked a step
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'longest'
