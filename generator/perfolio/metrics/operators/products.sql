/*---
title: Matrix products by the sizes of their arguments
better: higher
definition: >-
  Matrix products of the framework, by operator and sizes: how often each ran, the floating-point operations that its sizes
  ask for (2 m n k for each product of m×k by k×n), the time of the GPU operations that it launched, and the rate of both.
population: operators mm, addmm, bmm and baddbmm of ATen with recorded sizes; the first 40 by operations
needs: [shapes]
source: sizes of arguments; the count is that of PyTorch's FlopCounterMode
caveat: >-
  Computed from sizes, not measured: convolutions and attention are not in it, nor products that other libraries do.
empty: no matrix product has its sizes
columns:
  - {name: operator, title: 'Operator', unit: text}
  - {name: sizes, title: 'Sizes', unit: text}
  - {name: calls, title: 'Calls', unit: count}
  - {name: operations, title: 'Operations', unit: FLOP}
  - {name: gpu, title: 'GPU', unit: s}
  - {name: rate, title: 'Rate', unit: FLOP/s}
---*/
WITH sized AS (
    SELECT name, shapes, context, [
            [TRY_CAST(each AS BIGINT) FOR each IN string_split(sizes, ',')]
            FOR sizes IN regexp_extract_all(shapes, '\[(\d+(?:,\d+)*)\]', 1)
        ] AS sizes
    FROM host_range
    WHERE kind = 'operator' AND shapes IS NOT NULL AND name IN ('aten::mm', 'aten::addmm', 'aten::bmm', 'aten::baddbmm')
),
-- The two factors are the last two arguments that are matrices, or stacks of them.
factor AS (
    SELECT name, shapes, context, [each FOR each IN sizes IF len(each) = CASE WHEN name LIKE '%bmm' THEN 3 ELSE 2 END] AS factors FROM sized
),
product AS (
    SELECT name, shapes, context, factors[-2] AS one, factors[-1] AS other FROM factor WHERE len(factors) >= 2
),
asked AS (
    SELECT name, shapes, context, count(*) AS calls,
        2.0 * any_value(CASE len(one) WHEN 3 THEN one[1] ELSE 1 END) * any_value(one[-2]) * any_value(one[-1]) * any_value(other[-1]) AS each
    FROM product WHERE one[-1] = other[-2] GROUP BY name, shapes, context
),
-- What was launched in a context below is the product's, shared by the sizes that ran there.
spent AS (
    SELECT name, shapes, calls, each, calls / sum(calls) OVER (PARTITION BY asked.context) * coalesce(below.value, 0) AS gpu
    FROM asked LEFT JOIN (
        SELECT context, value FROM cost WHERE scope = 'execution' AND name = 'gpu_operation_time'
    ) AS below ON below.context = asked.context
)
SELECT name AS operator, left(shapes, 200) AS sizes, CAST(sum(calls) AS BIGINT) AS calls, sum(calls * each) AS operations,
    sum(gpu) AS gpu, CASE WHEN sum(gpu) > 0 THEN sum(calls * each) / sum(gpu) END AS rate
FROM spent GROUP BY name, shapes ORDER BY operations DESC, operator, sizes LIMIT 40
