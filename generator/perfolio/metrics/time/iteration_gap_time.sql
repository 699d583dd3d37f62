/*---
title: Longest gaps of all iterations
unit: s
better: lower
definition: >-
  Sum over iterations of the longest time in the iteration without a GPU operation.
population: >-
  all iterations, those of a warm-up and the last one included
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT sum(longest_gap) / 1e9 AS value FROM iteration
