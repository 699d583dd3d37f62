/*---
about: >-
  How long each trace line was busy: operations of a GPU stream, running time of a CPU thread [ns].
---*/
SELECT trace_line.profile, trace_line.kind, CAST(coalesce(spent.busy, 0) AS BIGINT) AS busy
FROM trace_line
LEFT JOIN (
    SELECT profile, sum(duration) AS busy FROM gpu_operation GROUP BY profile
    UNION ALL
    SELECT profile, sum(duration) FROM cpu_time GROUP BY profile
) AS spent ON spent.profile = trace_line.profile
