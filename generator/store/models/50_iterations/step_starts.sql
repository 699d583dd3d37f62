/*---
about: >-
  Steps that the program marks (host_range of kind step) on the rank of the busiest stream, two at least, in order
  of time: each begins when the host begins it and the GPUs of the rank have ended what was launched before, and
  the last one ends when the host and they have ended it. What runs before all that steps launched, and whose launch
  is not recorded, was launched before the recording began [ns].
---*/
WITH here AS (SELECT node, rank FROM profile WHERE "index" = busiest_stream()),
own AS (
    SELECT profile."index" AS profile
    FROM profile JOIN here ON profile.node IS NOT DISTINCT FROM here.node AND profile.rank IS NOT DISTINCT FROM here.rank
),
step AS MATERIALIZED (
    SELECT start, max(start + duration) AS stop FROM host_range WHERE kind = 'step' AND profile IN (FROM own) GROUP BY start
),
operation AS MATERIALIZED (
    SELECT ran.start, ran.start + ran.duration AS stop, call.start AS launch FROM gpu_operation AS ran
    LEFT JOIN host_call AS call ON call.id = ran.call WHERE ran.profile IN (FROM own)
),
launched AS (
    SELECT step.start, min(operation.start) AS begun, max(operation.stop) AS ended
    FROM operation ASOF JOIN step ON step.start <= operation.launch GROUP BY step.start
),
before AS (SELECT max(stop) AS ended FROM operation WHERE launch IS NULL AND start < (SELECT min(begun) FROM launched)),
reached AS (
    SELECT step.start, step.stop, launched.start IS NOT NULL AS runs, coalesce(launched.ended, step.stop) AS ended
    FROM step LEFT JOIN launched ON launched.start = step.start
)
SELECT greatest(
        reached.start, before.ended, max(reached.ended) OVER (ORDER BY reached.start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) AS start, max(greatest(reached.ended, reached.stop)) OVER () AS last
FROM reached CROSS JOIN before WHERE reached.runs
QUALIFY count(*) OVER () >= 2
