/*---
title: Operators
better: lower
definition: >-
  Operators of the framework: how often each ran; the time of the host in it and in it alone; the time of the GPU
  operations that it launched, with what it calls and alone; and how many sizes of arguments it had. An operator within
  another one of the same name counts once in what includes calls.
population: operators of all threads; the first 40 by GPU time, then host time
needs: [operators]
source: begin and end of each operator; GPU operations by the call that launched them
empty: no operator was recorded
columns:
  - {name: operator, title: 'Operator', unit: text}
  - {name: calls, title: 'Calls', unit: count}
  - {name: host, title: 'Host', unit: s}
  - {name: host_alone, title: 'Host, alone', unit: s}
  - {name: gpu, title: 'GPU', unit: s}
  - {name: gpu_alone, title: 'GPU, alone', unit: s}
  - {name: gpu_share, title: 'Share of GPU time', unit: ratio}
  - {name: shapes, title: 'Sizes', unit: count}
---*/
WITH operator AS MATERIALIZED (
    SELECT context, name, count(*) AS calls, count(DISTINCT shapes) AS shapes
    FROM host_range WHERE kind = 'operator' GROUP BY context, name
),
-- An operator's time on the host is what its contexts have alone, and what is below; on the GPU what was launched below.
spent AS MATERIALIZED (
    SELECT context, coalesce(sum(value) FILTER (WHERE name = 'elapsed_time'), 0) AS host,
        coalesce(sum(value) FILTER (WHERE name = 'gpu_operation_time'), 0) AS gpu
    FROM cost WHERE scope = 'point' AND name IN ('elapsed_time', 'gpu_operation_time') GROUP BY context
),
told AS (
    SELECT context.id, context.parent, operator.name FROM context LEFT JOIN operator ON operator.context = context.id
),
walk AS (
    WITH RECURSIVE down AS (
        SELECT id, [name] AS names, name AS nearest FROM told WHERE parent = 0
        UNION ALL
        SELECT told.id, CASE WHEN told.name IS NULL OR list_contains(down.names, told.name) THEN down.names
                ELSE list_append(down.names, told.name) END, coalesce(told.name, down.nearest)
        FROM down JOIN told ON told.parent = down.id
    )
    FROM down
),
below AS (
    SELECT walk.names, walk.nearest, spent.host, spent.gpu, operator.context IS NOT NULL AS inside
    FROM walk JOIN spent ON spent.context = walk.id LEFT JOIN operator ON operator.context = walk.id
),
inclusive AS (
    SELECT name, sum(host) AS host, sum(gpu) AS gpu FROM (SELECT unnest(names) AS name, host, gpu FROM below) WHERE name IS NOT NULL GROUP BY name
),
alone AS (
    SELECT nearest AS name, sum(host) FILTER (WHERE inside) AS host, sum(gpu) AS gpu FROM below WHERE nearest IS NOT NULL GROUP BY nearest
),
counted AS (
    SELECT name, sum(calls) AS calls, nullif(max(shapes), 0) AS shapes FROM operator GROUP BY name
)
SELECT counted.name AS operator, counted.calls, coalesce(inclusive.host, 0) AS host, coalesce(alone.host, 0) AS host_alone,
    coalesce(inclusive.gpu, 0) AS gpu, coalesce(alone.gpu, 0) AS gpu_alone,
    coalesce(inclusive.gpu, 0) / nullif(total_of('gpu_operation_time'), 0) AS gpu_share, counted.shapes
FROM counted LEFT JOIN inclusive ON inclusive.name = counted.name LEFT JOIN alone ON alone.name = counted.name
ORDER BY gpu DESC, host DESC, operator LIMIT 40
