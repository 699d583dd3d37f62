/*---
about: >-
  Steps that the program marks (host_range of kind step) on the rank of the busiest stream, in order of time: each begins
  when the host begins it and the GPUs of the rank have ended what was launched before, and the last one ends when the
  host and they have ended it. A step may launch nothing. Operations whose launch is not recorded say nothing of a step, but for
  earlier_work; nor do those that an idle GPU began more than 5 ms after their launch: what it did before is not recorded [ns].
---*/
WITH here AS (SELECT node, rank FROM profile WHERE "index" = busiest_stream()),
own AS (
    SELECT profile."index" AS profile
    FROM profile JOIN here ON profile.node IS NOT DISTINCT FROM here.node AND profile.rank IS NOT DISTINCT FROM here.rank
),
step AS MATERIALIZED (
    SELECT start, max(start + duration) AS stop FROM host_range WHERE kind = 'step' AND profile IN (FROM own) GROUP BY start
),
long_gap AS (SELECT device, start, stop FROM gpu_gap WHERE duration > 5e6),
operation AS (
    SELECT ran.start + ran.duration AS stop, call.start AS launch
    FROM gpu_operation AS ran
    JOIN host_call AS call ON call.id = ran.call
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    ASOF LEFT JOIN long_gap AS gap ON gap.device = stream.device AND gap.start <= ran.start
    WHERE ran.profile IN (FROM own) AND call.start < (SELECT max(stop) FROM step)
        AND (gap.stop IS NULL OR least(gap.stop, ran.start) - greatest(gap.start, call.start + call.duration) <= 5e6)
),
launched AS MATERIALIZED (
    SELECT step.start, max(operation.stop) AS ended FROM operation ASOF LEFT JOIN step ON step.start <= operation.launch GROUP BY step.start
),
before AS (
    SELECT greatest((SELECT max(ended) FROM launched WHERE start IS NULL), (
        SELECT max(earlier.stop) FROM earlier_work AS earlier JOIN gpu_stream AS stream ON stream.device = earlier.device
        WHERE stream.profile IN (FROM own)
    )) AS ended
),
reached AS (
    SELECT step.start, step.stop, launched.ended FROM step LEFT JOIN launched ON launched.start = step.start
)
SELECT greatest(
        reached.start, before.ended, max(reached.ended) OVER (ORDER BY reached.start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) AS start, max(greatest(reached.ended, reached.stop, before.ended)) OVER () AS last
FROM reached CROSS JOIN before
