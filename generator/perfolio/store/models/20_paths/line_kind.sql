/*---
about: >-
  What the profiles are whose identifiers do not tell: GPU stream where all points of the trace line are GPU operations,
  else CPU thread.
---*/
SELECT trace.profile, CASE WHEN bool_and(placeholder.context IS NOT NULL) THEN 'GPU stream' ELSE 'CPU thread' END AS kind
FROM (
    SELECT DISTINCT profile, context
    FROM trace WHERE context <> 0 AND profile IN (SELECT "index" FROM profile WHERE kind = 'unknown')
) AS trace
LEFT JOIN placeholder_contexts AS placeholder ON placeholder.context = trace.context
GROUP BY trace.profile
