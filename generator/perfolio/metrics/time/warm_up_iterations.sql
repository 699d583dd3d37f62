/*---
title: Warm-up iterations
unit: count
better: lower
definition: >-
  Leading iterations that are longer than the median by more than three robust standard
  deviations (1.4826 times the median absolute deviation) and by more than 5 %.
population: >-
  all iterations but the last
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT count(*) AS value FROM iteration WHERE mark = 'warm-up'
