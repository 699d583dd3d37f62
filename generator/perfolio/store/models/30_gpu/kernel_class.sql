/*---
about: >-
  What class of work a kernel does, one row for each calling context of kernels: the only place that decides it. Communication comes first,
  by the kernel's name (kernel_pattern), by what the tool recorded of a collective (attribute), or, where the name tells nothing, by the
  operator, range or library that launched it (attribute); then any other class, by name; else it is other. `kind` is collective, library
  product or other. `told` is name, attribute, or NULL where nothing tells the class. `moves`: whether its work is a few operations for
  each value that it reads, so that memory's rate decides how long it takes.
---*/
WITH RECURSIVE named AS MATERIALIZED (
    SELECT ran.context, left(coalesce(context_name.function_name, context_name.name), 2000) AS name
    FROM (SELECT context FROM kernel_context UNION SELECT context FROM gpu_operation WHERE operation = 'kernel') AS ran
    LEFT JOIN context_name ON context_name.context = ran.context
),
ruled AS MATERIALIZED (
    SELECT name, kernel_rule(name) AS rank FROM (SELECT DISTINCT name FROM named)
),
asked AS MATERIALIZED (
    SELECT DISTINCT ran.context FROM collective JOIN gpu_operation AS ran ON ran.profile = collective.profile AND ran.start = collective.start
    WHERE ran.operation = 'kernel'
),
-- From a kernel that no name tells up to what launched it, by way of calls of the GPU's runtime.
above AS (
    SELECT named.context, gpu_context.launcher AS place, 0 AS step
    FROM named JOIN ruled ON ruled.name = named.name AND ruled.rank IS NULL JOIN gpu_context ON gpu_context.context = named.context
    UNION ALL
    SELECT above.context, frame.parent, above.step + 1
    FROM above JOIN context_name AS frame ON frame.context = above.place
    WHERE above.step < 8 AND gpu_runtime(frame.name, frame.module_path)
),
launched AS MATERIALIZED (
    SELECT above.context
    FROM (SELECT context, arg_max(place, step) AS place FROM above GROUP BY context) AS above
    JOIN context_name AS frame ON frame.context = above.place
    WHERE EXISTS (FROM operator_pattern AS pattern WHERE pattern.kind = 'collective' AND regexp_matches(frame.name, pattern.pattern))
        OR regexp_matches(parse_filename(coalesce(frame.module_path, '')), '^lib(nccl|rccl|nvshmem|mscclpp|msccl|rocshmem)\w*[-._]')
),
told AS (
    SELECT named.context, pattern.class, pattern.kind,
        asked.context IS NOT NULL OR launched.context IS NOT NULL AS by_attribute
    FROM named
    LEFT JOIN ruled ON ruled.name = named.name
    LEFT JOIN kernel_pattern AS pattern ON pattern.rank = ruled.rank
    LEFT JOIN asked ON asked.context = named.context
    LEFT JOIN launched ON launched.context = named.context
)
SELECT context, CASE WHEN by_attribute THEN 'collective' ELSE coalesce(class, 'other') END AS class,
    CASE WHEN by_attribute THEN 'collective' ELSE coalesce(kind, 'other') END AS kind,
    CASE WHEN by_attribute AND class IS DISTINCT FROM 'collective' THEN 'attribute' WHEN class <> 'other' THEN 'name' END AS told,
    NOT by_attribute AND coalesce(class IN ('element-wise', 'cast or copy', 'normalisation', 'reduction'), false) AS moves
FROM told
