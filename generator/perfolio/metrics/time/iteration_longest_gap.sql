/*---
title: Longest gap of an iteration
unit: s
better: lower
definition: >-
  Median over iterations of the longest time in the iteration without an operation on a GPU.
population: >-
  complete iterations that are no warm-up; of several GPUs the mean, each with its whole gaps that begin in the
  iteration: GPUs begin one at slightly different times
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT median(longest_gap) / 1e9 AS value, count(*) AS n FROM steady_iterations
