/*---
title: Exposed copy time within iterations
unit: s
better: lower
definition: >-
  Time in which a copy runs on a GPU and no kernel does, from the begin of the first iteration to
  the end of the last one: without copies that are made once, such as those of a model.
population: >-
  GPU operations of all streams, of several GPUs the mean; iterations of a warm-up included
needs: [gpu_trace, iterations]
source: HPCToolkit's traces
---*/
SELECT coalesce(sum(least(level.stop, whole.stop) - greatest(level.start, whole.start)) FILTER (WHERE level.run IS NOT NULL), 0) / gpus($run) / 1e9 AS value
FROM (SELECT min(start) AS start, max(stop) AS stop FROM iteration WHERE run = $run) AS whole
LEFT JOIN gpu_level AS level
    ON level.run = $run AND level.copies > 0 AND level.kernels = 0 AND level.start < whole.stop AND level.stop > whole.start
