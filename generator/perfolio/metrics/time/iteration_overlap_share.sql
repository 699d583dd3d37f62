/*---
title: Overlapped share of copies in steady iterations
unit: ratio
better: higher
definition: >-
  Share of the time in which a copy runs on a GPU, within steady iterations, in which a kernel runs on the
  same one as well: without copies that are made once, such as those of a model.
population: >-
  complete iterations that are no warm-up; GPU operations of all streams and GPUs
needs: [gpu_trace, iterations]
source: traces
empty: no copy runs in steady iterations
---*/
SELECT coalesce(sum(part) FILTER (WHERE kernels > 0), 0) / nullif(sum(part), 0) AS value
FROM (
    SELECT level.kernels, least(level.stop, whole.stop) - greatest(level.start, whole.start) AS part
    FROM gpu_level AS level CROSS JOIN steady_bounds AS whole
    WHERE level.copies > 0 AND level.start < whole.stop AND level.stop > whole.start
)
