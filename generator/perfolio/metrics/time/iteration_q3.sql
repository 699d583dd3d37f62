/*---
title: Third quartile of iterations
unit: s
better: lower
definition: >-
  Duration that three quarters of the iterations do not exceed.
population: >-
  complete iterations that are no warm-up
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT quantile_cont(duration, 0.75) / 1e9 AS value, count(*) AS n FROM steady_iterations
