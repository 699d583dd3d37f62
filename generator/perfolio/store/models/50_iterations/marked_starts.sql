/*---
about: >-
  Begins of iterations by the marker function, named without its library: GPU operations below it that follow
  one that is not. Of a context that begins less than one in ten, as the tool attributes some wrongly, only the
  first one counts.
---*/
WITH RECURSIVE below AS (
    SELECT context.id AS context
    FROM context JOIN function ON function.id = context.function
    WHERE regexp_replace(function.name, ' \[[^\]]*\]$', '') = iteration_marker()
    UNION
    SELECT context.id FROM below JOIN context ON context.parent = below.context
)
SELECT start
FROM (
    SELECT gpu_operation.start, gpu_operation.context, below.context IS NOT NULL AS inside,
        coalesce(lag(below.context IS NOT NULL) OVER (ORDER BY gpu_operation.start), false) AS was_inside
    FROM gpu_operation LEFT JOIN below ON below.context = gpu_operation.context WHERE gpu_operation.profile = busiest_stream()
)
WHERE inside AND NOT was_inside
QUALIFY count(*) OVER (PARTITION BY context) >= 0.1 * count(*) OVER () OR row_number() OVER (ORDER BY start) = 1
