/*---
title: Distances of outlying iterations
better: neither
definition: >-
  How many iterations lie from one outlying iteration to the next, where they come so evenly that something counts:
  at least four of them, whose distances differ by one iteration, or a tenth, at most.
population: >-
  complete iterations that are no warm-up
needs: [gpu_trace, iterations]
source: traces
empty: fewer than four iterations are outlying, or they do not come evenly
columns:
  - {name: outliers, title: 'Outlying iterations', unit: count}
  - {name: least, title: 'Shortest distance', unit: count}
  - {name: most, title: 'Longest distance', unit: count}
  - {name: every, title: 'Iterations from one to the next', unit: text}
---*/
SELECT count(*) + 1 AS outliers, min(distance) AS least, max(distance) AS most,
    CASE WHEN min(distance) = max(distance) THEN '' ELSE min(distance) || ' to ' END || max(distance) AS every
FROM (SELECT iteration - lag(iteration) OVER (ORDER BY iteration) AS distance FROM iteration WHERE mark = 'outlier')
WHERE distance IS NOT NULL
HAVING count(*) >= 3 AND min(distance) > 1 AND max(distance) - min(distance) <= greatest(1, 0.1 * min(distance))
