/*---
title: Kernels beside no copy, share of steady iterations
unit: ratio
better: neither
definition: >-
  Share of the time of steady iterations in which a kernel runs on a GPU and no copy does: what copies of
  these iterations could hide behind.
population: >-
  complete iterations that are no warm-up; GPU operations of all streams, of several GPUs the mean
needs: [gpu_trace, iterations]
source: traces
empty: every iteration is warm-up
---*/
SELECT kernel / nullif(length, 0) AS value
FROM alone_in_parts
WHERE part = 'steady iterations'
