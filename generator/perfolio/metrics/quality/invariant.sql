/*---
title: Disagreement of totals
unit: ratio
better: lower
definition: >-
  Largest relative difference, over all metrics, between the three ways to a total: sum of scope
  point over contexts, context 0 at scope execution, sum over profiles. It should be 0 up to
  rounding.
population: all metrics with values
needs: [values]
source: costs by scope
empty: no metric has a value
---*/
SELECT max((greatest(point_sum, execution, profile_sum) - least(point_sum, execution, profile_sum))
    / greatest(abs(point_sum), abs(execution), abs(profile_sum))) AS value
FROM invariant
WHERE greatest(abs(point_sum), abs(execution), abs(profile_sum)) > 0
