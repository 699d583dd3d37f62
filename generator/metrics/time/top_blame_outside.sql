/*---
title: GPU idle time with one host function, outside of iterations
unit: s
better: lower
definition: >-
  Idle time between GPU operations before the first iteration and after the last one during which
  launching threads ran the function with the most of all idle time, or what it calls: the share
  of their samples there times the idle time there, with the 95 % Wilson interval of that share.
population: >-
  gaps within the GPU span, as far as they lie outside of iterations; of several GPUs the mean
needs: [cpu_trace, gpu_trace, launching, iterations]
source: HPCToolkit's idleness blame, by gaps
caveat: >-
  A function that runs while the GPU is idle need not be the reason for it. The interval takes
  samples as independent.
empty: no launching thread was sampled while the GPU was idle
---*/
WITH whole AS (
    SELECT min(start) AS start, max(stop) AS stop FROM iteration WHERE run = $run
),
outside AS MATERIALIZED (
    SELECT gap.device, gap.start, least(gap.stop, whole.start) AS stop
    FROM gpu_gap AS gap CROSS JOIN whole WHERE gap.run = $run AND gap.start < whole.start
    UNION ALL
    SELECT gap.device, greatest(gap.start, whole.stop), gap.stop
    FROM gpu_gap AS gap CROSS JOIN whole WHERE gap.run = $run AND gap.stop > whole.stop
),
held AS MATERIALIZED (
    SELECT held.context, least(held.stop, outside.stop) - greatest(held.start, outside.start) AS spent
    FROM launching_interval($run) AS held
    JOIN fed_gpus($run) AS fed ON fed.profile = held.profile
    JOIN outside ON outside.device = fed.device AND held.start < outside.stop AND held.stop > outside.start
),
found AS MATERIALIZED (
    FROM functions_on_paths($run, (
        SELECT list({'frame': frame, 'spent': spent})
        FROM (
            SELECT enclosing.frame, CAST(sum(held.spent) AS DOUBLE) AS spent
            FROM held JOIN enclosing_frames($run) AS enclosing ON enclosing.context = held.context
            GROUP BY enclosing.frame
        )
    ))
),
seen AS (
    SELECT count(*) AS n, sum(spent) AS spent, (SELECT sum(stop - start) FROM outside) / gpus($run) / 1e9 AS idle FROM held
),
part AS (
    SELECT coalesce(max(found.inclusive), 0) / any_value(seen.spent) AS share, any_value(seen.n) AS n, any_value(seen.idle) AS idle
    FROM blame_focus($run) AS focus
    CROSS JOIN seen
    LEFT JOIN found
        ON found.name = focus.name AND found.file IS NOT DISTINCT FROM focus.file AND found.line IS NOT DISTINCT FROM focus.line
    WHERE focus.position = 1
    HAVING count(*) > 0
)
SELECT CASE WHEN n > 0 THEN share * idle ELSE 0 END AS value,
    CASE WHEN n > 0 THEN binomial_low(share * n, n) * idle ELSE 0 END AS low,
    CASE WHEN n > 0 THEN binomial_high(share * n, n) * idle ELSE coalesce(idle, 0) END AS high, n
FROM part
