/*---
name: blocking_calls
about: >-
  Calls of a GPU's runtime that return only when a GPU has done something, each by its name (gpu_wait) and by its own
  copy, that which it or a call within it launched. waits tells whether the host waits in it for the GPU: in functions
  that synchronise, in synchronous copies to the host, and in asynchronous ones to pageable memory of the host. Where the
  memory is not recorded, it is taken for pageable if all such calls return only when their copy has ended, two or more of
  them one that took time. copies tells whether it is a synchronous copy or memset; from and until, when its own operations run in it, all of it
  where none was recorded. Of tools that take samples no row [ns].
---*/
WITH called AS (SELECT name, gpu_wait(name) AS kind FROM (SELECT DISTINCT name FROM host_call)),
call AS NOT MATERIALIZED ( -- else, under a LIMIT, its two readers wait for each other
    SELECT id, profile, context, start, start + duration AS stop, kind
    FROM host_call JOIN called USING (name) WHERE kind IN ('synchronises', 'copies', 'starts a copy')
),
launched AS (
    SELECT calling.profile, calling.start, calling.start + calling.duration AS stop, min(ran.start) AS begun, max(ran.start + ran.duration) AS ended,
        bool_or(ran.operation = 'copy D2H') AS to_host, bool_or(ran.operation = 'copy D2H' AND NOT ran.pinned) AS to_pageable,
        bool_or(ran.operation = 'copy D2H' AND ran.pinned IS NULL) AS to_unknown
    FROM gpu_operation AS ran JOIN host_call AS calling ON calling.id = ran.call
    WHERE ran.operation LIKE 'copy%' OR ran.operation = 'memset' GROUP BY ALL
),
own AS (
    SELECT call.id, min(launched.begun) AS begun, max(launched.ended) AS ended,
        bool_or(CASE WHEN call.kind = 'copies' THEN launched.to_host ELSE coalesce(launched.to_pageable, false) END) AS reads,
        CASE WHEN call.kind = 'starts a copy' AND bool_or(launched.to_unknown) THEN max(launched.ended) <= call.stop END AS lasts
    FROM launched
    ASOF JOIN (FROM call WHERE kind <> 'synchronises') AS call ON call.profile = launched.profile AND call.start <= launched.start
    WHERE call.stop >= launched.stop GROUP BY call.id, call.kind, call.stop
),
waiting AS (SELECT id, begun, ended, reads OR lasts AND bool_and(lasts) OVER () AND count(lasts) FILTER (ended > begun) OVER () > 1 AS reads FROM own)
SELECT call.id, call.profile, call.context, call.start, call.stop, call.kind = 'copies' AS copies,
    call.kind = 'synchronises' OR coalesce(waiting.reads, false) AS waits,
    greatest(call.start, coalesce(waiting.begun, call.start)) AS "from", least(call.stop, coalesce(waiting.ended, call.stop)) AS until
FROM call LEFT JOIN waiting ON waiting.id = call.id
WHERE call.kind <> 'starts a copy' OR waiting.reads

/*---
name: gpu_start
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
