/*---
title: Outlying iterations
unit: count
better: lower
definition: >-
  Iterations after the warm-up that differ from the median by more than three robust standard
  deviations (1.4826 times the median absolute deviation) and by more than 5 %.
population: >-
  complete iterations that are no warm-up
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT count(*) AS value FROM iteration WHERE mark = 'outlier'
