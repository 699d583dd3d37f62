/*---
title: GPU streams by busy time
better: higher
definition: >-
  Time in which operations of each stream run, overlaps counted once, as share of the wall time
  and of the GPU span, and their number; for each GPU the same of all its streams together.
population: >-
  GPU operations; the first 100 rows, the busiest GPUs and streams first
needs: [gpu_trace]
source: HPCToolkit's traces
caveat: >-
  Streams that overlap add up to more than their GPU. GPUs are told apart by rank and by the
  context number that HPCToolkit records. Without a CPU trace the wall time is not measured.
columns:
  - {name: gpu, title: 'GPU', unit: text}
  - {name: stream, title: 'Stream', unit: text}
  - {name: busy, title: 'Busy', unit: s}
  - {name: utilisation, title: 'Share of the wall time', unit: ratio}
  - {name: span_utilisation, title: 'Share of the GPU span', unit: ratio}
  - {name: operations, title: 'Operations', unit: count}
---*/
WITH stream AS MATERIALIZED (
    SELECT profile, gpu, stream, work, operations,
        -- Operations of a stream follow one another, but for repaired ones that became longer.
        longer OR (count(*) OVER (PARTITION BY gpu) > 1 AND count(*) OVER (PARTITION BY gpu) < count(*) OVER ()) AS swept
    FROM (
        SELECT ran.profile,
            CASE WHEN (SELECT count(DISTINCT node) FROM profile WHERE run = $run) > 1 THEN coalesce('node ' || any_value(profile.node) || ' ', '') ELSE '' END
            || coalesce('rank ' || any_value(profile.rank) || ' ', '') || coalesce('GPU ' || any_value(profile.gpu_context), 'GPU') AS gpu,
            coalesce('stream ' || any_value(profile.gpu_stream), any_value(profile.identifier_tuple)) AS stream,
            sum(ran.duration) AS work, count(*) AS operations, bool_or(ran.repaired AND ran.duration > ran.raw_duration) AS longer
        FROM gpu_operation AS ran JOIN profile ON profile.run = $run AND profile."index" = ran.profile
        WHERE ran.run = $run
        GROUP BY ran.profile
    )
),
swept AS (
    SELECT profile, gpu, sum(greatest(stop - greatest(start, coalesce(before, start)), 0)) AS busy
    FROM (
        SELECT profile, gpu, start, stop,
            max(stop) OVER (PARTITION BY profile, gpu ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM (
            SELECT stream.profile, stream.gpu, ran.start, ran.start + ran.duration AS stop
            FROM stream JOIN gpu_operation AS ran ON ran.run = $run AND ran.profile = stream.profile
            WHERE stream.swept
            UNION ALL
            SELECT NULL, stream.gpu, ran.start, ran.start + ran.duration
            FROM stream JOIN gpu_operation AS ran ON ran.run = $run AND ran.profile = stream.profile
            WHERE stream.swept
        )
    )
    GROUP BY profile, gpu
),
line AS (
    SELECT stream.gpu, stream.stream, coalesce(swept.busy, stream.work) AS busy, stream.operations
    FROM stream LEFT JOIN swept ON swept.profile = stream.profile
    UNION ALL
    SELECT stream.gpu, 'all streams',
        CASE
            WHEN (SELECT count(DISTINCT gpu) FROM stream) = 1 THEN (SELECT busy FROM gpu_use WHERE run = $run)
            ELSE coalesce(any_value(swept.busy), sum(stream.work))
        END,
        sum(stream.operations)
    FROM stream LEFT JOIN swept ON swept.profile IS NULL AND swept.gpu = stream.gpu
    GROUP BY stream.gpu
)
SELECT gpu, stream, busy / 1e9 AS busy,
    busy / (SELECT nullif(stop - start, 0) FROM cpu_trace_span WHERE run = $run) AS utilisation,
    busy / (SELECT nullif(span, 0) FROM gpu_use WHERE run = $run) AS span_utilisation, operations
FROM line
ORDER BY max(busy) OVER (PARTITION BY gpu) DESC, gpu, stream <> 'all streams', busy DESC, stream
LIMIT 100
