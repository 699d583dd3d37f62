/*---
name: typical_step
about: >-
  Steps that the program marks (host_range of kind step) and that are iterations of which statistics are made, from begin to end on the
  host: those of steady_iterations by their number on each rank, where these are the marked steps. Else, as of iterations, all but the
  first ones of a thread that are longer than its median by usual_spread [ns].
---*/
WITH step AS (
    SELECT step.profile, step.start, step.start + step.duration AS stop,
        dense_rank() OVER (PARTITION BY profile.node, profile.rank ORDER BY step.start) AS number
    FROM host_range AS step JOIN profile ON profile."index" = step.profile WHERE step.kind = 'step'
),
rated AS (
    SELECT step.*, step.stop - step.start > usual.most AS long FROM step
    JOIN (SELECT profile, median(stop - start) + usual_spread(stop - start) AS most FROM step GROUP BY profile) AS usual
        ON usual.profile = step.profile
)
SELECT profile, start, stop FROM rated
QUALIFY CASE WHEN iteration_marker() IS NULL AND EXISTS (FROM step_starts) THEN number IN (SELECT iteration FROM steady_iterations)
    ELSE NOT bool_and(long) OVER (PARTITION BY profile ORDER BY start ROWS UNBOUNDED PRECEDING) END

/*---
name: host_step
about: >-
  Steps that the program marks on main threads (host_range of kind step), those that are typical (typical_step): what the host does in
  them, whose work may end later on a GPU.
when: FROM host_range WHERE kind = 'step'
columns:
  profile: INTEGER; Thread [id]
  start: BIGINT; Begin since the epoch [ns]
  stop: BIGINT; End since the epoch [ns]
---*/
SELECT profile, start, stop FROM typical_step WHERE profile IN (SELECT profile FROM main_threads)

/*---
name: host_step_time
about: >-
  How long a step takes that the program marks: without the profiler where profile.toml says so in workload.step_time,
  else as recorded (iteration_length); and how many were recorded.
when: FROM host_range WHERE kind = 'step'
columns:
  typical: DOUBLE; Time of a step [s]
  recorded: DOUBLE; The recorded steps' length [s]
  n: BIGINT; Recorded steps [count]
---*/
WITH told AS (SELECT max(TRY_CAST(value AS DOUBLE)) AS time FROM setting WHERE key = 'workload.step_time' AND TRY_CAST(value AS DOUBLE) > 0)
SELECT coalesce(told.time, length / 1e9) AS typical, length / 1e9 AS recorded, n
FROM iteration_length CROSS JOIN told WHERE EXISTS (FROM host_range WHERE kind = 'step')

/*---
name: step_operator
about: >-
  Operators of main threads that mark steps (host_step), by name: whether they belong to attention, multiply matrices, or are a softmax
  (operator_pattern). No row of others.
when: FROM host_range WHERE kind = 'step'
---*/
SELECT name, bool_or(pattern.kind IN ('scores', 'batched product', 'reordering')) AS attends,
    bool_or(pattern.kind IN ('product', 'batched product')) AS multiplies, bool_or(pattern.kind = 'softmax') AS softmax
FROM (SELECT DISTINCT name FROM host_range WHERE kind = 'operator' AND profile IN (SELECT profile FROM host_step)) AS named
JOIN operator_pattern AS pattern ON regexp_matches(named.name, pattern.pattern)
GROUP BY name

/*---
name: step_moment
about: >-
  Moments at which main threads begin a typical step (host_step) or, of the operators that belong to attention, an outermost one: the
  step that began last, its end, and the end of the attention that began last, NULL before the first of each [ns]. There is attention
  only where a softmax has three dimensions or more. To it belong operators of scores, reordering (step_operator), and those
  with an argument of that softmax's sizes.
when: FROM host_range WHERE kind = 'step'
---*/
WITH operator AS NOT MATERIALIZED (
    SELECT profile, start, start + duration AS stop, name, shapes FROM host_range
    WHERE kind = 'operator' AND profile IN (SELECT profile FROM host_step)
),
told AS MATERIALIZED (FROM step_operator),
sizes AS MATERIALIZED (
    SELECT DISTINCT '[' || regexp_extract(shapes, '\[(\d+(?:,\d+){2,})\]', 1) || ']' AS sizes
    FROM operator JOIN told USING (name) WHERE told.softmax AND regexp_matches(shapes, '\[\d+(,\d+){2,}\]')
),
-- Operators lie in each other or apart: of those that belong to attention, the outermost ones.
attends AS (
    SELECT operator.profile, operator.start, operator.stop FROM operator LEFT JOIN told ON told.name = operator.name
    WHERE EXISTS (FROM sizes) AND (told.attends OR EXISTS (FROM sizes WHERE contains(operator.shapes, sizes.sizes)))
),
outermost AS MATERIALIZED (
    SELECT profile, start, stop FROM attends
    QUALIFY start >= coalesce(max(stop) OVER (
        PARTITION BY profile ORDER BY start, stop DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), start)
)
SELECT profile, start, last_value(max(step) IGNORE NULLS) OVER line AS step, last_value(max(stop) IGNORE NULLS) OVER line AS stop,
    last_value(max(attends) IGNORE NULLS) OVER line AS attends
FROM (SELECT profile, start, start AS step, stop, NULL AS attends FROM host_step UNION ALL SELECT profile, start, NULL, NULL, stop FROM outermost)
GROUP BY profile, start WINDOW line AS (PARTITION BY profile ORDER BY start)

/*---
name: host_step_part
about: >-
  What main threads do in typical steps (host_step), by the phase of the program (frame.phase), else by the operators
  that they are in (step_operator): each stretch in one part.
when: FROM host_range WHERE kind = 'step'
made_by: insert_step_parts
columns:
  profile: INTEGER; Thread [id]
  start: BIGINT; Begin of the step since the epoch [ns]
  part: >-
    VARCHAR; input, optimizer, attention (step_moment), products, other operators, or between (in no operator) [text]
  name: VARCHAR; Operator or annotation that the main thread is in; empty between operators [text]
  time: BIGINT; Time of the step in that part [ns]
---*/

/*---
name: host_step_share
about: >-
  Shares of typical steps that main threads spend in a part (host_step_part), or in several: small operators and what
  lies between. The interval holds 95 % of what means of as many steps would be, by Student's t as of Abramowitz and
  Stegun 26.7.5; there is none of a single step.
when: FROM host_range WHERE kind = 'step'
columns:
  part: VARCHAR; input, optimizer, attention, fusable (other operators and between), or longest (the one of other operators with most) [text]
  value: DOUBLE; Share of all steps [ratio]
  low: DOUBLE; Its lower end [ratio]
  high: DOUBLE; Its upper end [ratio]
  n: BIGINT; Steps [count]
---*/
WITH wanted(part, member) AS (
    VALUES ('input', 'input'), ('optimizer', 'optimizer'), ('attention', 'attention'), ('fusable', 'other operators'),
        ('fusable', 'between'), ('longest', 'longest')),
other AS (FROM host_step_part WHERE part = 'other operators'),
spent AS (
    SELECT profile, start, part, "time" FROM host_step_part UNION ALL SELECT profile, start, 'longest', "time" FROM other
    WHERE name = (SELECT name FROM other GROUP BY name ORDER BY sum("time") DESC, name LIMIT 1)),
share AS (
    SELECT wanted.part, step.profile, step.start, step.stop - step.start AS whole, coalesce(sum(spent."time"), 0) AS "time"
    FROM host_step AS step CROSS JOIN wanted
    LEFT JOIN spent ON spent.profile = step.profile AND spent.start = step.start AND spent.part = wanted.member
    WHERE step.stop > step.start GROUP BY ALL),
found AS (
    SELECT part, sum("time") / sum(whole) AS value, count(*) AS n, count(*) - 1 AS freedom, stddev_samp("time" / whole) / sqrt(n) AS error
    FROM share GROUP BY part
),
ends AS (
    SELECT part, value, n, error * CASE WHEN freedom = 1 THEN 12.706 WHEN freedom > 1 THEN 1.96 + 2.372 / freedom + 2.822 / (freedom * freedom)
        + 2.556 / (freedom * freedom * freedom) END AS half FROM found
)
SELECT part, value, greatest(value - half, 0) AS low, least(value + half, 1) AS high, n FROM ends

/*---
name: named_range
about: >-
  Ranges whose names tell that they load input or write a checkpoint (kind, in operator_pattern), the outermost of a name, by name: calls,
  their mean and longest duration [s], their part of the traced time, and how often one could run if nothing else did [Hz].
---*/
-- A program calls few names, each many times: patterns are tried once for each.
WITH named AS (
    SELECT DISTINCT own.name, known.kind, left(regexp_replace(own.name, '#.*$|[0-9]+', '', 'g'), 60) AS short
    FROM (SELECT DISTINCT name FROM host_range) AS own
    JOIN operator_pattern AS known ON known.kind IN ('loading', 'checkpoint') AND regexp_matches(own.name, known.pattern)
),
told AS (
    SELECT own.id, own.duration, own.parent, named.kind, named.short AS name FROM host_range AS own JOIN named ON named.name = own.name
)
SELECT kind, name AS "range", count(*) AS calls, avg(duration) / 1e9 AS mean, max(duration) / 1e9 AS longest,
    sum(duration) / any_value(span.stop - span.start) AS share, 1e9 / nullif(avg(duration), 0) AS rate
FROM told JOIN traced_span AS span ON span.stop > span.start
WHERE NOT EXISTS (FROM told AS around WHERE around.kind = told.kind AND around.id = told.parent) GROUP BY kind, name
