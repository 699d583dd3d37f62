/*---
title: Steps' time spent on input data
unit: ratio
better: lower
definition: >-
  Time in which main threads prepare or await input data, as a share of the steps: that part of steps.parts.
population: steps of main threads, without the first one of each where there are three or more
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
caveat: >-
  As recorded. Input is told by the data loader and by names of functions; other input counts as the rest.
empty: no main thread marked a step
---*/
SELECT coalesce(sum("time") FILTER (WHERE part IN ('input')), 0) / any_value(whole) AS value, CAST(any_value(steps) AS BIGINT) AS n
FROM host_step_part HAVING any_value(whole) > 0
