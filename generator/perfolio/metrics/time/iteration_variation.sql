/*---
title: Variation of iterations
unit: ratio
better: lower
definition: >-
  Standard deviation of the durations of iterations over their mean: the coefficient of
  variation. Outliers are in it.
population: >-
  complete iterations that are no warm-up
needs: [gpu_trace, iterations]
source: by definition; TraceLens judges instances of one operation by it
empty: one iteration alone is complete, as where one step is marked
---*/
SELECT stddev_samp(duration) / nullif(avg(duration), 0) AS value, count(*) AS n
FROM steady_iterations HAVING count(*) > 1
