/*---
name: fusable_kernels
about: >-
  Kernels of steady iterations that are known by name (fusable_pattern) to be parts of what one call of a
  library would do. Attention: a softmax that is no logarithm, between two batched matrix products with no other
  product and at most ten kernels more between them in the stream (bmm, matmul, einsum or batched GEMMs on the
  calling path, and no linear layer); in the backward pass two products on either side. Optimiser: kernels of
  PyTorch's Adam, AdamW or SGD by tensor or by lists of tensors. chain numbers the chains of an iteration, gap
  is the time since the kernel before within it, place a context of its first kernels [ns].
---*/
WITH steady AS MATERIALIZED (SELECT iteration, start, start + duration AS stop FROM steady_iterations),
enclosed AS MATERIALIZED (
    SELECT ran.context, enclosing.frame
    FROM (SELECT DISTINCT context FROM gpu_operation WHERE operation = 'kernel') AS ran
    JOIN enclosing_frame AS enclosing ON enclosing.context = ran.context
),
called AS MATERIALIZED (
    SELECT target, frame, step, name AS full_name, regexp_replace(replace(name, '(anonymous namespace)::', ''), '\(.*$', '', 's') AS name
    FROM path_frames((SELECT list(DISTINCT frame) FROM enclosed))
),
part AS MATERIALIZED (
    SELECT names.full_name, pattern.role, pattern.tells
    FROM (SELECT DISTINCT full_name, name FROM called) AS names
    JOIN fusable_pattern AS pattern
        ON regexp_matches(CASE pattern.tells WHEN 'caller' THEN names.name ELSE lower(names.full_name) END, pattern.pattern)
),
roles AS MATERIALIZED (
    SELECT called.target, part.role, max(called.step) AS step
    FROM called JOIN part ON part.full_name = called.full_name
        AND CASE part.tells WHEN 'kernel' THEN called.step = 0 WHEN 'caller' THEN called.step > 0 ELSE true END
    GROUP BY called.target, part.role
),
told AS MATERIALIZED (
    SELECT called.target,
        coalesce(bool_or(roles.role = 'batched product'), false) AND NOT coalesce(bool_or(roles.role = 'linear layer'), false) AS batched,
        coalesce(bool_or(roles.role = 'softmax'), false) AND NOT coalesce(bool_or(roles.role = 'other softmax'), false) AS softmax,
        coalesce(bool_or(roles.role = 'backward'), false) AS backward,
        any_value(called.frame) FILTER (WHERE roles.role = 'optimiser' AND roles.step = called.step) AS optimiser
    FROM called LEFT JOIN roles ON roles.target = called.target GROUP BY called.target
),
ordered AS MATERIALIZED (
    SELECT ran.profile, steady.iteration, ran.context, ran.start, ran.duration,
        kind.product, told.batched, told.softmax, told.backward, told.optimiser,
        row_number() OVER line AS n, ran.start - lag(ran.start + ran.duration) OVER line AS gap,
        sum(CAST(kind.product AS INTEGER)) OVER (line ROWS UNBOUNDED PRECEDING) AS products
    FROM gpu_operation AS ran
    ASOF JOIN steady ON steady.start <= ran.start
    JOIN enclosed ON enclosed.context = ran.context
    JOIN told ON told.target = enclosed.frame
    JOIN (SELECT context, kind = 'library product' AS product FROM kernel_class) AS kind ON kind.context = ran.context
    WHERE ran.operation = 'kernel' AND ran.start < steady.stop
    WINDOW line AS (PARTITION BY ran.profile, steady.iteration ORDER BY ran.start, ran.context)
),
batched AS MATERIALIZED (SELECT profile, iteration, products, n FROM ordered WHERE product AND batched),
-- The backward pass has two products for each one of the forward pass: one for each factor.
attention AS MATERIALIZED (
    SELECT core.profile, core.iteration, core.backward,
        coalesce(before.n, scores.n) AS start, coalesce(after.n, results.n) AS stop
    FROM (
        SELECT profile, iteration, products, bool_or(backward) AS backward
        FROM ordered WHERE softmax AND NOT product GROUP BY profile, iteration, products
    ) AS core
    JOIN batched AS scores ON scores.profile = core.profile AND scores.iteration = core.iteration AND scores.products = core.products
    JOIN batched AS results ON results.profile = core.profile AND results.iteration = core.iteration AND results.products = core.products + 1
    LEFT JOIN batched AS before
        ON core.backward AND before.profile = core.profile AND before.iteration = core.iteration
        AND before.products = core.products - 1 AND before.n = scores.n - 1
    LEFT JOIN batched AS after
        ON core.backward AND after.profile = core.profile AND after.iteration = core.iteration
        AND after.products = core.products + 2 AND after.n = results.n + 1
    WHERE results.n - scores.n <= 12
)
SELECT CASE WHEN attention.backward THEN 'attention, backward' ELSE 'attention' END AS kind,
    ordered.profile, ordered.iteration, attention.start AS chain, ordered.context,
    ordered.duration, CASE WHEN ordered.n > attention.start THEN greatest(ordered.gap, 0) ELSE 0 END AS gap,
    first(ordered.context) OVER (PARTITION BY attention.profile, attention.iteration, attention.start ORDER BY ordered.n) AS place
FROM attention
JOIN ordered
    ON ordered.profile = attention.profile AND ordered.iteration = attention.iteration
    AND ordered.n BETWEEN attention.start AND attention.stop
QUALIFY row_number() OVER (PARTITION BY ordered.profile, ordered.iteration, ordered.n ORDER BY attention.start) = 1
UNION ALL
SELECT 'optimiser', profile, iteration, 0, context, duration,
    CASE WHEN lag(n) OVER (PARTITION BY profile, iteration, optimiser ORDER BY n) = n - 1 THEN greatest(gap, 0) ELSE 0 END,
    min(context) OVER (PARTITION BY optimiser)
FROM ordered WHERE optimiser IS NOT NULL
