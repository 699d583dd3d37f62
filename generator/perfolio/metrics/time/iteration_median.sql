/*---
title: Median iteration
unit: s
better: lower
definition: >-
  Median duration of an iteration, from its begin to that of the next one; see time.iterations. A marked step begins when the
  host begins it and GPUs have ended what was launched before.
population: >-
  complete iterations that are no warm-up
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT length / 1e9 AS value, n FROM iteration_length
