/*---
title: Three ways to each total
better: neither
definition: >-
  The total of each metric, obtained in three ways that must agree: the sum of scope point over
  all contexts, context 0 at scope execution, and the sum over profiles; and their largest
  relative difference.
population: all metrics with values
needs: [values]
source: costs by scope
empty: no metric has a value
columns:
  - {name: name, title: 'Metric', unit: text}
  - {name: point_sum, title: 'Sum of point', unit: "1"}
  - {name: execution, title: 'Context 0', unit: "1"}
  - {name: profile_sum, title: 'Sum over profiles', unit: "1"}
  - {name: difference, title: 'Difference', unit: ratio}
---*/
SELECT name, point_sum, execution, profile_sum,
    (greatest(point_sum, execution, profile_sum) - least(point_sum, execution, profile_sum))
        / greatest(abs(point_sum), abs(execution), abs(profile_sum)) AS difference
FROM invariant
WHERE greatest(abs(point_sum), abs(execution), abs(profile_sum)) > 0
ORDER BY name
