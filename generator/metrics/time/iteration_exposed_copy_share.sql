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
source: HPCToolkit's traces
empty: every iteration is warm-up
---*/
SELECT coalesce(sum(least(level.stop, whole.stop) - greatest(level.start, whole.start)) FILTER (WHERE level.run IS NOT NULL), 0) / gpus($run)
    / nullif(any_value(whole.stop - whole.start), 0) AS value
FROM (SELECT min(start) AS start, max(start + duration) AS stop FROM steady_iterations($run)) AS whole
LEFT JOIN gpu_level AS level
    ON level.run = $run AND level.copies > 0 AND level.kernels = 0 AND level.start < whole.stop AND level.stop > whole.start
