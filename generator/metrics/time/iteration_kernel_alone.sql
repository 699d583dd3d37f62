/*---
title: Kernel time beside no copy within iterations
unit: s
better: neither
definition: >-
  Time in which a kernel runs on a GPU and no copy does, from the begin of the first iteration to
  the end of the last one: what copies could hide behind.
population: >-
  GPU operations of all streams, of several GPUs the mean; iterations of a warm-up included
needs: [gpu_trace, iterations]
source: HPCToolkit's traces
---*/
SELECT coalesce(sum(least(level.stop, whole.stop) - greatest(level.start, whole.start)) FILTER (WHERE level.run IS NOT NULL), 0) / gpus($run) / 1e9 AS value
FROM (SELECT min(start) AS start, max(stop) AS stop FROM iteration WHERE run = $run) AS whole
LEFT JOIN gpu_level AS level
    ON level.run = $run AND level.kernels > 0 AND level.copies = 0 AND level.start < whole.stop AND level.stop > whole.start
