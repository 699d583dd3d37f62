/*---
title: Inclusive values summed over callers
better: neither
definition: >-
  For each metric of the tool, and for all entry points together and each alone: its total, and
  the sum of its inclusive values over all calling contexts. That sum counts a cost once for each
  function, loop and line on its call path, so it grows with the depth of the calls. Reports that
  add up inclusive values, or that read one entry point only, have these numbers.
population: >-
  total: the entry point's own context at scope execution, or context 0 for all; sum: every
  calling context other than the root at scope execution, the wrong scope to sum
needs: [values]
source: >-
  a formula of hand-made reports, kept to explain why their numbers differ; never used in a
  finding
empty: no metric has a value other than 0
columns:
  - {name: metric, title: 'Metric of the tool', unit: text}
  - {name: entry_point, title: 'Entry point', unit: text}
  - {name: total, title: 'Total', unit: '1'}
  - {name: weighted, title: 'Sum over callers', unit: '1'}
---*/
WITH inclusive AS (
    SELECT cost.name, cost.context, context.entry_point, context.lexical_type, cost.value
    FROM cost
    LEFT JOIN context ON context.id = cost.context
    WHERE cost.scope = 'execution'
),
each AS (
    SELECT name, entry_point, coalesce(sum(value) FILTER (WHERE lexical_type = 'entry'), 0) AS total,
        sum(value) AS weighted
    FROM inclusive
    WHERE context <> 0 AND entry_point IS NOT NULL
    GROUP BY name, entry_point
),
whole AS (
    SELECT name, coalesce(sum(value) FILTER (WHERE context = 0), 0) AS total,
        coalesce(sum(value) FILTER (WHERE context <> 0), 0) AS weighted
    FROM inclusive
    GROUP BY name
)
SELECT name AS metric, 'all' AS entry_point, total, weighted FROM whole WHERE total <> 0
UNION ALL
SELECT name, entry_point, total, weighted FROM each WHERE total <> 0
ORDER BY metric, entry_point
