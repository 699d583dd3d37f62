/*---
title: Steps' time spent in the optimizer
unit: ratio
better: lower
definition: >-
  Time in which main threads are in the optimizer's step or set gradients to zero, as a share of the steps: that part of steps.parts.
population: steps of main threads, without the first one of each where there are three or more
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
caveat: >-
  As recorded: the profiler makes many short operators longer than they are.
empty: no main thread marked a step
---*/
SELECT coalesce(sum("time") FILTER (WHERE part IN ('optimizer')), 0) / any_value(whole) AS value, CAST(any_value(steps) AS BIGINT) AS n
FROM host_step_part HAVING any_value(whole) > 0
