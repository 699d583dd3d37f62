/*---
title: Exposed copy time within iterations
unit: s
better: lower
definition: >-
  Time in which a copy runs on a GPU and no kernel does, from the begin of the first iteration on it to
  the end of the last one: without copies that are made once, such as those of a model.
population: >-
  GPU operations of all streams, of several GPUs the mean; iterations of a warm-up included
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT copy / 1e9 AS value
FROM alone_in_parts
WHERE part = 'iterations'
