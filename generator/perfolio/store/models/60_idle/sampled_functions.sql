/*---
about: >-
  For each of some gaps (number, device, start, stop) the innermost function in which, or in what it calls,
  threads that feed the GPU were sampled for plainly more than half of it (55 %): of Python, or the innermost
  function of a path without Python. Of a gap shorter than ten periods of the samples, the function that surely
  has more than half of all gaps of like length; no row where none has.
given: [gaps]
---*/
WITH RECURSIVE gap AS MATERIALIZED (
    SELECT one.*, idle.period, idle.gap,
        CASE WHEN one.stop - one.start < 10 * launch_period() THEN greatest(floor(log2(one.stop - one.start)), 9) END AS octave
    FROM (SELECT unnest(gaps, recursive := true)) AS one
    JOIN idle_gaps AS idle ON idle.device = one.device AND idle.start = one.start
),
taken AS (
    SELECT gap.number, held.context, CAST(0 AS DOUBLE) AS square,
        sum(
            greatest(least(held.stands, held.taken - gap.start) / launch_period(), 1)
            + greatest(least(held.taken, gap.stop) - greatest(held.start, gap.start), 0) / launch_period()
        ) AS spent
    FROM launching_samples AS held
    JOIN gap ON gap.octave IS NULL AND gap.device = held.device AND held.start < gap.stop AND held.taken >= gap.start
    GROUP BY gap.number, held.context
    UNION ALL
    SELECT gap.number, held.context, 0, sum(least(held.stop, gap.stop) - greatest(held.start, gap.start))
    FROM gap JOIN fed_gpus AS fed ON fed.device = gap.device
    JOIN cpu_interval AS held ON held.profile = fed.profile AND held.start < gap.stop AND held.stop > gap.start
    WHERE launch_period() IS NULL
    GROUP BY gap.number, held.context
    UNION ALL
    SELECT gap.number, blame.context, blame.square, blame.duration
    FROM gap JOIN blame ON blame.period = gap.period AND blame.gap = gap.gap AND blame.octave = gap.octave
),
spent AS MATERIALIZED (
    SELECT taken.number, enclosing.frame, sum(taken.spent) AS spent, sum(taken.square) AS square
    FROM taken JOIN enclosing_frame AS enclosing ON enclosing.context = taken.context GROUP BY taken.number, enclosing.frame
),
called AS MATERIALIZED (SELECT frame, caller, name, python FROM frame),
path AS (
    SELECT frame AS target, 0 AS step, * FROM called WHERE frame IN (SELECT frame FROM spent)
    UNION ALL
    SELECT path.target, path.step + 1, called.* FROM path JOIN called ON called.frame = path.caller
),
told AS MATERIALIZED (
    SELECT target, name, min(step) AS step, bool_or(python) AS python FROM path WHERE python OR step = 0 GROUP BY target, name
),
whole AS (
    SELECT number, sum(spent) AS whole, sum(square) AS square FROM spent GROUP BY number
),
most AS (
    SELECT spent.number, told.name, sum(spent.spent) AS part, any_value(whole.whole) AS whole, any_value(whole.square) AS square
    FROM spent JOIN told ON told.target = spent.frame JOIN whole ON whole.number = spent.number
    GROUP BY spent.number, told.name HAVING sum(spent.spent) >= 0.55 * any_value(whole.whole)
    QUALIFY row_number() OVER (
        PARTITION BY spent.number ORDER BY bool_or(told.python) DESC, sum(spent.spent), avg(told.step), told.name
    ) = 1
)
SELECT number, name FROM most WHERE square = 0 OR blame_low(part / whole, equal_samples(whole, square)) > 0.5
