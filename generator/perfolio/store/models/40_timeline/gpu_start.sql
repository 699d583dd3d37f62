/*---
about: >-
  When threads initialise the GPU, without overlap: of a run with GPU operations those that launch them, before
  the first operation; of one without, all CPU threads. Where they stayed in a function that does (host_stay),
  else from the sample of a thread before to a sample whose
  calling path has an initialising function of phase_pattern, or a first allocation (cudaMalloc, hipMalloc)
  where these take more than 0.1 s in all: that makes the context.
when: FROM frame WHERE phase = 'initialisation' OR role IN ('gpu', 'gpu wait')
columns:
  name: VARCHAR; That function [text]
  frame: UINTEGER; Frame of the sample [id]
  start: BIGINT; Begin since the epoch [ns]
  stop: BIGINT; End since the epoch [ns]
---*/
WITH held AS MATERIALIZED (
    SELECT enclosing.frame, sample.taken AS start, sample.taken - sample.distance AS previous
    FROM host_sample AS sample
    JOIN trace_line AS line ON line.profile = sample.profile
    LEFT JOIN gpu_span ON true
    JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
    WHERE sample.duration > 0 AND (gpu_span.start IS NULL OR line.launching AND sample.taken < gpu_span.start)
    UNION ALL
    SELECT enclosing.frame, stay.start + stay.duration, stay.start
    FROM host_stay AS stay
    JOIN trace_line AS line ON line.profile = stay.profile
    LEFT JOIN gpu_span ON true
    JOIN enclosing_frame AS enclosing ON enclosing.context = stay.context
    WHERE gpu_span.start IS NULL OR line.launching AND stay.start < gpu_span.start
),
in_runtime AS MATERIALIZED (SELECT frame FROM frame WHERE role IN ('gpu', 'gpu wait') AND frame IN (SELECT frame FROM held)),
told AS (
    SELECT held.previous AS start, held.start AS stop, held.frame, frame.phase_by AS name
    FROM held JOIN frame ON frame.frame = held.frame WHERE frame.phase = 'initialisation'
    UNION ALL
    -- The first allocation makes the context where nothing did before; without that an allocation takes far less than 0.1 s.
    SELECT held.previous, held.start, held.frame, first.name
    FROM held
    JOIN (
        SELECT DISTINCT target, regexp_extract(name, '^\w+') AS name
        FROM path_frames((SELECT list(frame) FROM in_runtime)) WHERE regexp_matches(name, '^(cuda|hip)Malloc( \[[^\]]*\])?$')
    ) AS first ON first.target = held.frame
    JOIN frame ON frame.frame = held.frame AND coalesce(frame.phase, '') <> 'initialisation'
    QUALIFY sum(held.start - held.previous) OVER () > 1e8
)
SELECT name, frame, greatest(start, coalesce(before, start)) AS start, stop
FROM (
    SELECT name, frame, start, stop, max(stop) OVER (ORDER BY start, stop, frame ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM told
)
WHERE stop > greatest(start, coalesce(before, start))
