/*---
title: Steady iterations
unit: count
better: neither
definition: >-
  Iterations that statistics are made of: complete ones that are no warm-up.
population: >-
  operations of the busiest GPU stream
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT count(*) AS value FROM steady_iterations
