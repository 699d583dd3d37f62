/*---
about: >-
  Calls of a GPU's runtime that return only when a GPU has done something, each by its name (gpu_wait) and by its own
  copy, that which it or a call within it launched. waits tells whether the host waits in it for the GPU: in functions
  that synchronise, in synchronous copies to the host, and in asynchronous ones to pageable memory of the host. Where the
  memory is not recorded, it is taken for pageable if two such calls or more all return only when their copy has ended.
  copies tells whether it is a synchronous copy or memset; from and until, when its own operations run in it, all of it
  where none was recorded. Of tools that take samples no row [ns].
---*/
WITH call AS (
    SELECT id, profile, context, start, start + duration AS stop, gpu_wait(name) AS kind
    FROM host_call WHERE gpu_wait(name) IN ('synchronises', 'copies', 'starts a copy')
),
launched AS (
    SELECT calling.profile, calling.start, calling.start + calling.duration AS stop,
        min(ran.start) AS begun, max(ran.start + ran.duration) AS ended,
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
waiting AS (SELECT id, begun, ended, reads OR lasts IS NOT NULL AND bool_and(lasts) OVER () AND count(lasts) OVER () > 1 AS reads FROM own)
SELECT call.id, call.profile, call.context, call.start, call.stop, call.kind = 'copies' AS copies,
    call.kind = 'synchronises' OR coalesce(waiting.reads, false) AS waits,
    greatest(call.start, coalesce(waiting.begun, call.start)) AS "from", least(call.stop, coalesce(waiting.ended, call.stop)) AS until
FROM call LEFT JOIN waiting ON waiting.id = call.id
WHERE call.kind <> 'starts a copy' OR waiting.reads
