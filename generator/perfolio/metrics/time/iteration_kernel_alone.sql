/*---
title: Kernel time beside no copy within iterations
unit: s
better: neither
definition: >-
  Time in which a kernel runs on a GPU and no copy does, from the begin of the first iteration on it to
  the end of the last one: what copies could hide behind.
population: >-
  GPU operations of all streams, of several GPUs the mean; iterations of a warm-up included
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT kernel / 1e9 AS value
FROM alone_in_parts
WHERE part = 'iterations'
