/*---
about: >-
  Frames in which a thread waits for the backward pass that another thread of its rank runs: PyTorch's call of its autograd
  engine, or a function of Python or a marked range (annotation) around it on a thread that calls the GPU's runtime, where
  another thread that runs steps of the backward pass was in something recorded for at least half of the time in the frame
  itself. By begins and ends; of tools that take samples no row, whose samples tell the wait (main_stretch).
---*/
WITH place AS MATERIALIZED (
    SELECT place.context, place.frame, code.python, regexp_matches(code.name, 'run_backward|autograd::[\w:]*Engine::execute') AS engine,
        regexp_matches(code.name, '^autograd::engine::evaluate_function|\wBackward\d*$') AS pass
    FROM context_code AS place JOIN code ON code.code = place.code
    WHERE place.called AND code.lexical_type = 'function' AND EXISTS (FROM host_stay)
),
backward AS MATERIALIZED (
    SELECT DISTINCT profile FROM host_stay WHERE context IN (SELECT context FROM place WHERE pass)
),
entered AS MATERIALIZED (
    SELECT stay.profile, place.frame, stay.start, stay.start + stay.duration AS stop
    FROM host_stay AS stay JOIN place ON place.context = stay.context
    WHERE EXISTS (FROM backward) AND (
        place.engine OR stay.profile IN (SELECT profile FROM host_call) AND stay.profile NOT IN (FROM backward)
        AND (place.python OR place.context IN (SELECT context FROM host_range WHERE kind = 'annotation')))
),
pair AS (
    SELECT waiting."index" AS profile, other."index" AS other
    FROM profile AS waiting
    JOIN profile AS other ON other."index" <> waiting."index" AND other.node IS NOT DISTINCT FROM waiting.node
        AND other.rank IS NOT DISTINCT FROM waiting.rank
    WHERE waiting."index" IN (SELECT profile FROM entered) AND other."index" IN (FROM backward)
),
covered AS (
    SELECT entered.frame, sum(greatest(least(stay.start + stay.duration, entered.stop) - stay.start, 0)) AS covered
    FROM (
        SELECT pair.profile, stay.start, stay.duration
        FROM host_stay AS stay JOIN pair ON pair.other = stay.profile WHERE stay.context NOT IN (SELECT context FROM place WHERE engine)
    ) AS stay
    ASOF JOIN entered ON entered.profile = stay.profile AND entered.start <= stay.start
    GROUP BY entered.frame
)
SELECT spent.frame
FROM (SELECT frame, sum(stop - start) AS own FROM entered GROUP BY frame) AS spent JOIN covered ON covered.frame = spent.frame
WHERE 2 * covered.covered >= spent.own AND spent.own > 0
