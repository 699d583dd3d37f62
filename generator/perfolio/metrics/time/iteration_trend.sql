/*---
title: Trend of iterations
unit: ratio
better: lower
definition: >-
  Relative change of the median iteration from the first half of the iterations to the second
  half: positive where they get slower.
population: >-
  complete iterations that are no warm-up
needs: [gpu_trace, iterations]
source: traces
empty: fewer than four iterations are complete
---*/
SELECT median(duration) FILTER (WHERE late) / median(duration) FILTER (WHERE NOT late) - 1 AS value, count(*) AS n
FROM (SELECT duration, row_number() OVER (ORDER BY iteration) > count(*) OVER () / 2 AS late FROM steady_iterations)
HAVING count(*) >= 4
