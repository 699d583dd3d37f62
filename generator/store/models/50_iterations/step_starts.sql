/*---
about: >-
  Steps that the program marks (host_range of kind step) on the rank of the busiest stream, two at least, in order
  of time: each begins when the host begins it and the GPUs of the rank have ended what earlier steps launched, and
  the last one ends when the host and they have ended it [ns].
---*/
WITH here AS (
    SELECT node, rank FROM profile WHERE "index" = busiest_stream()
),
own AS (
    SELECT profile."index" AS profile
    FROM profile JOIN here ON profile.node IS NOT DISTINCT FROM here.node AND profile.rank IS NOT DISTINCT FROM here.rank
),
step AS MATERIALIZED (
    SELECT start, max(start + duration) AS stop
    FROM host_range WHERE kind = 'step' AND profile IN (FROM own) GROUP BY start
),
launched AS (
    SELECT step.start, max(ran.start + ran.duration) AS ended
    FROM gpu_operation AS ran
    JOIN host_call AS call ON call.id = ran.call
    ASOF JOIN step ON step.start <= call.start
    WHERE ran.profile IN (FROM own)
    GROUP BY step.start
),
reached AS (
    SELECT step.start, step.stop, launched.start IS NOT NULL AS runs, coalesce(launched.ended, step.stop) AS ended
    FROM step LEFT JOIN launched ON launched.start = step.start
)
SELECT greatest(start, coalesce(max(ended) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), start)) AS start,
    max(greatest(ended, stop)) OVER () AS last
FROM reached WHERE runs
QUALIFY count(*) OVER () >= 2
