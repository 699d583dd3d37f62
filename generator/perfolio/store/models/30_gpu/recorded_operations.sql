/*---
about: >-
  Operations of GPU streams as recorded; one that has no end is left out [ns].
---*/
SELECT trace.profile, CAST(trace."time" AS BIGINT) AS start, CAST(trace.duration AS BIGINT) AS duration,
    trace.suspect, coalesce(gpu_context.operation, 'other') AS operation, trace.context
FROM trace
JOIN profile ON profile."index" = trace.profile AND profile.kind = 'GPU stream'
LEFT JOIN gpu_context ON gpu_context.context = trace.context
WHERE trace.context <> 0 AND trace.duration IS NOT NULL
