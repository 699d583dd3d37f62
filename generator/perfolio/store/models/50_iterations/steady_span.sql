/*---
about: >-
  What idle times are judged by: from the first to the last of the steady iterations, or the GPU span of a run
  without any [ns].
---*/
SELECT coalesce(steady.start, gpu_span.start) AS start, coalesce(steady.stop, gpu_span.stop) AS stop
FROM gpu_span CROSS JOIN steady_bounds AS steady
