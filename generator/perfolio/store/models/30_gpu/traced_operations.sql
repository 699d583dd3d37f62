/*---
about: >-
  Operations of the trace per calling context with a time, in a run that does not count all its kernels and
  copies. The tool gives the trace contexts of its own, without values: they belong to the one of the same
  launcher and name, and to none where several have these.
---*/
WITH traced AS (
    SELECT context, count(*) AS operations
    FROM gpu_operation WHERE NOT (total_of('kernel_launches') > 0 AND total_of('copy_count') > 0) GROUP BY context
),
place AS (
    SELECT gpu_context.context, gpu_context.launcher, context_name.name, traced.operations,
        gpu_context.context IN (
            SELECT context FROM cost WHERE scope = 'point' AND name = 'gpu_operation_time' AND value > 0
        ) AS timed
    FROM gpu_context
    JOIN context_name ON context_name.context = gpu_context.context
    LEFT JOIN traced ON traced.context = gpu_context.context
)
SELECT any_value(context) FILTER (WHERE timed) AS context, sum(operations) AS operations
FROM place WHERE timed OR operations > 0 GROUP BY launcher, name HAVING count(*) FILTER (WHERE timed) = 1 AND sum(operations) > 0
UNION ALL
SELECT context, operations
FROM place QUALIFY timed AND operations > 0 AND count(*) FILTER (WHERE timed) OVER (PARTITION BY launcher, name) > 1
