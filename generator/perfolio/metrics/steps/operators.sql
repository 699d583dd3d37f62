/*---
title: Operators with most of a step
better: lower
definition: >-
  Of operators that are no product, convolution, attention, input or optimizer: how often each runs in a step, its own time per step, the
  mean over steps, its share of the steps, the outermost operator that most of that time lies in, and what it does with values by its
  name, if that is told.
population: steps of main threads, complete ones that are no warm-up; the first 10 by own time, of 1 % or more
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
caveat: >-
  Functions of the program count, too, where they were recorded: these have neither calls nor what they lie in.
empty: no main thread marked a step, or nothing of that kind takes 1 % of one
columns:
  - {name: operator, title: 'Operator', unit: text}
  - {name: calls, title: 'Calls per step', unit: '1'}
  - {name: time, title: 'Mean per step', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: within, title: 'Mostly within', unit: text}
  - {name: does, title: 'With values', unit: text}
---*/
WITH RECURSIVE whole AS (SELECT count(*) AS steps, sum(stop - start) AS whole FROM host_step),
spent AS MATERIALIZED (
    SELECT name, sum("time") AS "time", sum("time") / any_value(whole.whole) AS share
    FROM host_step_part CROSS JOIN whole WHERE part = 'other operators' AND whole.whole > 0
    GROUP BY name HAVING sum("time") >= 0.01 * any_value(whole.whole) ORDER BY "time" DESC, name LIMIT 10
),
ran AS MATERIALIZED (
    SELECT ranged.name, ranged.id, ranged.parent, ranged.duration
    FROM host_range AS ranged JOIN spent ON spent.name = ranged.name
    ASOF JOIN host_step AS step ON step.profile = ranged.profile AND step.start <= ranged.start
    WHERE ranged.kind = 'operator' AND ranged.start < step.stop
),
above AS (
    SELECT name, id, duration, parent, CAST(NULL AS VARCHAR) AS within, 0 AS depth FROM ran
    UNION ALL
    SELECT above.name, above.id, above.duration, outer_one.parent, outer_one.name, above.depth + 1
    FROM above JOIN host_range AS outer_one ON outer_one.id = above.parent AND outer_one.kind = 'operator'
),
outermost AS (SELECT name, id, any_value(duration) AS duration, arg_max_null(within, depth) AS within FROM above GROUP BY name, id),
most AS (
    SELECT name, within FROM outermost GROUP BY name, within
    QUALIFY row_number() OVER (PARTITION BY name ORDER BY sum(duration) DESC, within) = 1
),
counted AS (SELECT name, count(*) AS calls FROM ran GROUP BY name)
SELECT spent.name AS operator, counted.calls / whole.steps AS calls, spent."time" / whole.steps / 1e9 AS "time", spent.share, most.within,
    CASE WHEN regexp_matches(spent.name, '^aten::(fill|zero)_?$') THEN 'sets'
        WHEN regexp_matches(spent.name, '^aten::(copy_|_?to(_copy)?|contiguous|clone)$') THEN 'copies'
        WHEN regexp_matches(spent.name, '^aten::.*(index|gather|scatter|embedding)') THEN 'picks' END AS does
FROM spent CROSS JOIN whole LEFT JOIN counted ON counted.name = spent.name LEFT JOIN most ON most.name = spent.name
ORDER BY spent."time" DESC, operator
