/*---
about: >-
  Frames that have a cost of a metric, with what was spent in the frame itself and in all that it called.
given: [metric_name]
---*/
SELECT frames.*, coalesce(cost.exclusive, 0) AS exclusive, coalesce(cost.inclusive, 0) AS inclusive
FROM frame AS frames
JOIN (
    SELECT context,
        sum(value) FILTER (WHERE scope = 'function') AS exclusive,
        sum(value) FILTER (WHERE scope = 'execution') AS inclusive
    FROM cost
    WHERE name = metric_name AND scope IN ('function', 'execution')
    GROUP BY context
) AS cost ON cost.context = frames.frame
