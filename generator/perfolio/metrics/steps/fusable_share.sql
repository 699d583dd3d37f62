/*---
title: Steps' time outside of products
unit: ratio
better: lower
definition: >-
  Time of main threads in operators that are no products, convolutions or attention, and in no operator at
  all, as a share of the steps: that part of steps.parts.
population: steps of main threads, complete ones that are no warm-up; 95 % interval over steps
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
caveat: >-
  As recorded: the profiler makes short operators, and what lies between them, longer than they are.
empty: no main thread marked a step
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'fusable'
