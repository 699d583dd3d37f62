/*---
title: Cost of instructions below the listed lines
unit: ratio
better: neither
definition: >-
  Largest share, over all metrics, of cost that lies in contexts which meta.db does not list:
  instructions that hpcprof folds into their line. Their cost is part of every total and of the
  function around them, so that even 100 % loses nothing.
population: all metrics with values, scope point
needs: [values]
source: meta.db against profile.db
empty: no metric has a value
---*/
SELECT max(unlisted / nullif(whole, 0)) AS value
FROM (
    SELECT cost.name, sum(cost.value) AS whole,
        coalesce(sum(cost.value) FILTER (WHERE context.id IS NULL), 0) AS unlisted
    FROM cost
    LEFT JOIN context ON context.id = cost.context
    WHERE cost.scope = 'point'
    GROUP BY cost.name
)
