/*---
title: Parts of the start-up
better: lower
definition: >-
  The time before the first iteration, or before the first GPU operation where no iterations
  were found: before GPU initialisation, in it by the function that tells it, between and after
  it up to the first GPU operation, and from there on. Each moment counts once.
population: >-
  from the first trace point; launching threads; of several GPUs the mean of when each begins its first operation
  and its first iteration, and GPU initialisation while any rank does so (see time.gpu_initialisation)
needs: [cpu_trace, gpu_trace, launching]
source: traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  The time between two samples of a thread is told by the later one.
empty: the run begins with its first iteration
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the start-up', unit: ratio}
---*/
WITH phase AS (
    SELECT phase.start, phase.stop, least(phase.stop, greatest(phase.start, gpu.first)) AS first -- earlier work is no start-up
    FROM run_phases AS phase
    CROSS JOIN (
        SELECT any_value(span.start) + CAST(avg(gpu.start - span.start) AS BIGINT) AS first
        FROM gpu_device AS gpu CROSS JOIN gpu_span AS span
    ) AS gpu
    WHERE phase.phase = 'start-up'
),
touched AS MATERIALIZED (
    SELECT * FROM gpu_start
),
part AS (
    SELECT 'GPU initialisation: ' || short_name(name) AS part, min(start) AS start, sum(stop - start) AS spent FROM touched GROUP BY short_name(name)
    UNION ALL
    SELECT CASE WHEN (SELECT count(*) FROM touched) > 0 THEN 'Before GPU initialisation' ELSE 'Before the first GPU operation' END,
        start, coalesce((SELECT min(start) FROM touched), first) - start
    FROM phase
    UNION ALL
    SELECT 'Otherwise before the first GPU operation', touched.rest, phase.first - touched.start - touched.initialised
    FROM phase CROSS JOIN (
        SELECT min(start) AS start, min(stop) FILTER (WHERE following IS DISTINCT FROM stop) AS rest, sum(stop - start) AS initialised
        FROM (SELECT start, stop, lead(start) OVER (ORDER BY start) AS following FROM touched)
    ) AS touched
    UNION ALL
    SELECT 'From the first GPU operation to the first iteration', first, stop - first FROM phase
)
SELECT part, (part.start - span.start) / 1e9 AS start, spent / 1e9 AS "time", spent / (SELECT stop - start FROM phase) AS share
FROM part CROSS JOIN (SELECT start FROM traced_span) AS span
WHERE spent > 0 AND (SELECT count(*) FROM phase) > 0
ORDER BY part.start, part
