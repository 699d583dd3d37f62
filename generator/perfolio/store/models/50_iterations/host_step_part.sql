/*---
about: >-
  What main threads do in typical steps (host_step), by the phase of the program (frame.phase), else by the operators
  that they are in (operator_pattern): each stretch in one part.
when: FROM host_range WHERE kind = 'step'
columns:
  profile: INTEGER; Thread [id]
  start: BIGINT; Begin of the step since the epoch [ns]
  part: >-
    VARCHAR; input, optimizer, attention (operators of scores, or with an argument of the sizes of a softmax of three
    dimensions or more, and reordering where such a softmax runs), products, other operators, or between (in no
    operator) [text]
  name: VARCHAR; Operator or annotation that the main thread is in; empty between operators [text]
  time: BIGINT; Time of the step in that part [ns]
---*/
WITH step AS MATERIALIZED (FROM host_step),
operator AS MATERIALIZED (
    SELECT ranged.profile, ranged.start, ranged.start + ranged.duration AS stop, ranged.name, ranged.shapes,
        EXISTS (FROM operator_pattern WHERE kind = 'softmax' AND regexp_matches(ranged.name, pattern)) AS softmax
    FROM host_range AS ranged WHERE ranged.kind = 'operator' AND ranged.profile IN (SELECT profile FROM step)
),
sizes AS MATERIALIZED (
    SELECT DISTINCT '[' || regexp_extract(shapes, '\[(\d+(?:,\d+){2,})\]', 1) || ']' AS sizes
    FROM operator WHERE softmax AND regexp_matches(shapes, '\[\d+(,\d+){2,}\]')
),
told AS MATERIALIZED (
    SELECT name, bool_or(pattern.kind IN ('scores', 'batched product', 'reordering')) AS attends,
        bool_or(pattern.kind IN ('product', 'batched product')) AS multiplies
    FROM (SELECT DISTINCT name FROM operator) AS named
    JOIN operator_pattern AS pattern ON regexp_matches(named.name, pattern.pattern)
    GROUP BY name
),
-- Operators lie in each other or apart: of those that belong to attention, the outermost ones.
attends AS (
    SELECT operator.profile, operator.start, operator.stop
    FROM operator LEFT JOIN told ON told.name = operator.name
    WHERE EXISTS (FROM sizes) AND (told.attends OR EXISTS (FROM sizes WHERE contains(operator.shapes, sizes.sizes)))
),
outermost AS MATERIALIZED (
    SELECT profile, start, stop FROM attends
    QUALIFY start >= coalesce(max(stop) OVER (
        PARTITION BY profile ORDER BY start, stop DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), start)
),
stay AS MATERIALIZED (
    SELECT stay.profile, step.start AS step, greatest(stay.start, step.start) AS start, least(stay.start + stay.duration, step.stop) AS stop,
        frame.phase, frame.name
    FROM host_stay AS stay
    ASOF JOIN step ON step.profile = stay.profile AND step.start <= stay.start
    JOIN enclosing_frame AS enclosing ON enclosing.context = stay.context
    JOIN frame ON frame.frame = enclosing.frame
    WHERE stay.start < step.stop
),
spent AS (
    SELECT stay.profile, stay.step, CASE WHEN stay.phase = 'data' THEN 'input' WHEN stay.phase = 'optimizer' THEN 'optimizer'
            WHEN stay.start < outermost.stop THEN 'attention' WHEN told.multiplies THEN 'products' ELSE 'other operators' END AS part, stay.name,
        sum(stay.stop - stay.start) AS "time"
    FROM stay
    ASOF LEFT JOIN outermost ON outermost.profile = stay.profile AND outermost.start <= stay.start
    LEFT JOIN told ON told.name = stay.name
    GROUP BY ALL
),
told_of AS (SELECT profile, step, sum("time") AS "time" FROM spent GROUP BY ALL)
SELECT profile, step AS start, part, name, CAST("time" AS BIGINT) AS "time" FROM spent
UNION ALL
SELECT step.profile, step.start, 'between', '',
    CAST(greatest(step.stop - step.start - coalesce(told_of."time", 0), 0) AS BIGINT)
FROM step LEFT JOIN told_of ON told_of.profile = step.profile AND told_of.step = step.start
