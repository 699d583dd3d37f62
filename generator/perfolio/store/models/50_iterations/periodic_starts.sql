/*---
about: >-
  Begins of iterations by the periodic structure of GPU operations: the occurrences of the first context that
  runs in each iteration at regular distances (robust coefficient of variation up to 0.5); of one that runs
  several times in each, every so many of them.
---*/
-- An iteration begins with the first operation that comes back in each. Its context may run more
-- than once per iteration, as when a batch is several copies: then each such occurrence counts as
-- one. Only contexts that begin early can be that.
WITH early AS MATERIALIZED (
    SELECT context, every
    FROM repeated_contexts WHERE every <= 100 QUALIFY row_number() OVER (PARTITION BY every = 1 ORDER BY first, context) <= 40
),
occurrence AS MATERIALIZED (
    SELECT context, start, lead(start) OVER (PARTITION BY context ORDER BY start) - start AS period
    FROM (
        SELECT ran.context, ran.start
        FROM launched_operations AS ran JOIN early ON early.context = ran.context
        QUALIFY (row_number() OVER (PARTITION BY ran.context ORDER BY ran.start) - 1) % early.every = 0
    )
),
anchor AS (
    SELECT context
    FROM occurrence
    GROUP BY context HAVING min(period) > 0 AND 1.4826 * mad(period) <= 0.5 * median(period)
    ORDER BY min(start), context LIMIT 1
)
SELECT start FROM occurrence WHERE context = (SELECT context FROM anchor)
