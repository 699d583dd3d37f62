/*---
about: >-
  What the times of a run count from: the wall time, or the span of GPU operations where there is no CPU trace
  [ns].
---*/
SELECT min(start) AS start, max(stop) AS stop
FROM (
    SELECT start, stop FROM cpu_trace_span
    UNION ALL
    SELECT start, stop FROM gpu_span
)
HAVING count(*) > 0
