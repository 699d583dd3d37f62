/*---
title: Steps' time in one other operator
unit: ratio
better: lower
definition: >-
  Largest share of steps that main threads spend in the own code of one operator, by name, that is no product, convolution,
  attention, input or optimizer.
population: steps of main threads, without the first one of each where there are three or more
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
empty: no main thread marked a step
---*/
WITH whole AS (SELECT sum(stop - start) AS whole, count(*) AS n FROM host_step)
SELECT coalesce(max(spent."time"), 0) / any_value(whole.whole) AS value, any_value(whole.n) AS n
FROM whole LEFT JOIN (
    SELECT sum("time") AS "time" FROM host_step_part WHERE part = 'other operators' GROUP BY name
) AS spent ON true
WHERE whole.whole > 0 HAVING count(*) > 0
