/*---
about: >-
  What class of work a kernel does, by its name (kernel_pattern), one row for each calling context of kernels; other where no pattern
  matches. `moves`: whether its work is a few operations for each value that it reads, so that memory's rate decides how long it takes.
---*/
WITH named AS MATERIALIZED (
    SELECT DISTINCT context_name.name
    FROM context_name WHERE context_name.context IN (SELECT context FROM kernel_context UNION SELECT context FROM gpu_operation
        WHERE operation = 'kernel')
),
told AS MATERIALIZED (
    SELECT named.name, arg_min(pattern.class, pattern.rank) AS class
    FROM named JOIN kernel_pattern AS pattern ON regexp_matches(lower(left(named.name, 2000)), pattern.pattern)
    GROUP BY named.name
)
SELECT context_name.context, coalesce(told.class, 'other') AS class,
    coalesce(told.class IN ('element-wise', 'cast or copy', 'normalisation', 'reduction'), false) AS moves
FROM context_name JOIN named ON named.name = context_name.name
LEFT JOIN told ON told.name = context_name.name
