/*---
title: Exposed copies, share of steady iterations
unit: ratio
better: lower
definition: >-
  Share of the time of steady iterations in which a copy runs on a GPU and no kernel does: without
  copies that are made once, such as those of a model.
population: >-
  complete iterations that are no warm-up; GPU operations of all streams, of several GPUs the mean
needs: [gpu_trace, iterations]
source: traces
empty: every iteration is warm-up
---*/
SELECT copy / nullif(length, 0) AS value
FROM alone_in_parts
WHERE part = 'steady iterations'
