/*---
title: Operations of the timeline
better: neither
definition: >-
  What ran on a GPU stream, or what a CPU thread was in, exactly, by name. Of a CPU thread it is the program's own function that works there,
  itself or in code of others that it called, or else the function that waits or calls the GPU; what follows without a break in the same
  function is one row.
population: >-
  trace lines of the timeline: of the iteration closest to the median the 600 longest operations and the 300 longest times
  in one function in it; of the run the 200 longest operations and the 300 longest times in one function, and the
  operations before and after each of the longest gaps
needs: [trace]
source: traces
caveat: >-
  By samples, a time in one function is one in which no sample says anything else.
empty: no trace line is ever busy
columns:
  - {name: line, title: 'Line', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: operation, title: 'Operation', unit: text}
  - {name: name, title: 'Name', unit: text}
---*/
WITH typical AS MATERIALIZED (
    FROM typical_iteration
),
ran AS (
    SELECT operation.profile, operation.start, operation.duration, operation.operation, operation.context,
        coalesce(operation.start >= typical.start AND operation.start < typical.stop, false) AS inside
    FROM gpu_operation AS operation LEFT JOIN typical ON true
    WHERE operation.duration > 0 AND operation.profile IN (SELECT profile FROM drawn_line WHERE kind = 'GPU stream')
),
gap AS MATERIALIZED (
    SELECT stream.profile, gap.start, gap.stop
    FROM (SELECT device, start, stop FROM steady_gaps ORDER BY duration DESC, start LIMIT 20) AS gap
    JOIN gpu_stream AS stream ON stream.device = gap.device
),
operation AS (
    (FROM ran WHERE inside ORDER BY duration DESC, start, profile LIMIT 600)
    UNION
    (FROM ran ORDER BY duration DESC, start, profile LIMIT 200)
    UNION
    SELECT ran.* FROM ran SEMI JOIN gap ON gap.profile = ran.profile AND gap.start = ran.start + ran.duration
    UNION
    SELECT ran.* FROM ran SEMI JOIN gap ON gap.profile = ran.profile AND gap.stop = ran.start
),
-- A run can have millions of samples. Their names are numbers until the few that are drawn are known, and only windows hold them all.
word AS MATERIALIZED (
    SELECT held.context, coalesce(CASE frame.role WHEN 'working' THEN own.name END, frame.name) AS called,
        CAST(dense_rank() OVER (ORDER BY called) AS INTEGER) AS word
    FROM (SELECT DISTINCT context FROM cpu_interval) AS held
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = held.context
    LEFT JOIN frame ON frame.frame = enclosing.frame
    LEFT JOIN (SELECT key, min(name) AS name FROM frame GROUP BY key) AS own ON own.key = frame.owner
),
stay AS NOT MATERIALIZED (
    SELECT held.profile, held.start, held.stop, word.word, lag(word.word) OVER line AS before, lag(held.stop) OVER line AS ended
    FROM cpu_interval AS held JOIN word ON word.context = held.context
    WHERE held.stop > held.start AND held.profile IN (SELECT profile FROM drawn_line WHERE kind <> 'GPU stream')
    WINDOW line AS (PARTITION BY held.profile ORDER BY held.start, held.stop)
),
-- What follows in another function, or after a break, begins a row of the timeline, and ends the one before.
function AS NOT MATERIALIZED (
    SELECT stay.profile, stay.start, stay.word, lead(stay.ended) OVER (PARTITION BY stay.profile ORDER BY stay.start, stay.stop) AS stop
    FROM stay JOIN trace_line AS line ON line.profile = stay.profile
    WHERE stay.ended IS NULL OR stay.word IS DISTINCT FROM stay.before OR stay.start - stay.ended > coalesce(line.longest, 0) / 4
),
place AS (
    SELECT unnest(list_distinct(list_concat(coalesce(inside, []), longest)), recursive := true)
    FROM (
        SELECT max(told, 300) AS longest, max(told, 300) FILTER (told.stop > typical.start AND told.start < typical.stop) AS inside
        FROM (
            SELECT {duration: coalesce(function.stop, last.stop) - start, sooner: -start, lower: -profile, start: start, profile: profile, word: word,
                stop: coalesce(function.stop, last.stop)} AS told
            FROM function JOIN (SELECT profile, max(stop) AS stop FROM cpu_interval GROUP BY profile) AS last USING (profile)
        )
        LEFT JOIN typical ON true
    )
),
drawn AS (
    SELECT operation.profile, operation.start, operation.duration, operation.operation, ran.words AS name
    FROM operation LEFT JOIN gpu_context AS ran ON ran.context = operation.context
    UNION ALL
    SELECT profile, start, duration, 'CPU', called FROM place JOIN (SELECT DISTINCT word, called FROM word) AS named USING (word)
)
SELECT line.name AS line, (drawn.start - span.start) / 1e9 AS start, drawn.duration / 1e9 AS duration, drawn.operation,
    left(drawn.name, 120) AS name
FROM drawn JOIN drawn_line AS line ON line.profile = drawn.profile JOIN traced_span AS span ON true
ORDER BY line.place, start, duration DESC
