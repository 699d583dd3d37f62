/*---
title: Longest gap, share of an iteration
unit: ratio
better: lower
definition: >-
  Median of the longest time without a GPU operation in an iteration over the median duration of
  an iteration.
population: >-
  complete iterations that are no warm-up; of several GPUs the mean
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT median(gap.longest_gap) / nullif(any_value(usual.length), 0) AS value, count(*) AS n
FROM steady_iterations AS gap CROSS JOIN iteration_length AS usual
