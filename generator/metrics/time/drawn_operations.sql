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
    SELECT start, start + duration AS stop
    FROM steady_iterations
    ORDER BY abs(duration - (SELECT median(duration) FROM steady_iterations)), iteration
    LIMIT 1
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
stay AS (
    SELECT held.profile, held.start, held.stop, coalesce(line.longest, 0) / 4 AS apart,
        coalesce(CASE frame.role WHEN 'working' THEN own.name END, frame.name) AS name
    FROM cpu_interval AS held
    JOIN trace_line AS line ON line.profile = held.profile
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = held.context
    LEFT JOIN frame ON frame.frame = enclosing.frame
    LEFT JOIN (SELECT key, min(name) AS name FROM frame GROUP BY key) AS own ON own.key = frame.owner
    WHERE held.stop > held.start AND held.profile IN (SELECT profile FROM drawn_line WHERE kind <> 'GPU stream')
),
told AS (
    SELECT profile, start, stop, name, sum(CAST(other AS INTEGER)) OVER (PARTITION BY profile ORDER BY start, stop) AS number
    FROM (
        SELECT *, coalesce(name <> lag(name) OVER line OR start - lag(stop) OVER line > apart, true) AS other
        FROM stay WINDOW line AS (PARTITION BY profile ORDER BY start, stop)
    )
),
function AS (
    SELECT together.profile, together.start, together.stop - together.start AS duration, 'CPU' AS operation, together.name,
        coalesce(together.stop > typical.start AND together.start < typical.stop, false) AS inside
    FROM (
        SELECT profile, min(start) AS start, max(stop) AS stop, any_value(name) AS name FROM told GROUP BY profile, number
    ) AS together
    LEFT JOIN typical ON true
),
place AS (
    (FROM function WHERE inside ORDER BY duration DESC, start, profile LIMIT 300)
    UNION
    (FROM function ORDER BY duration DESC, start, profile LIMIT 300)
),
drawn AS (
    SELECT operation.profile, operation.start, operation.duration, operation.operation, ran.words AS name
    FROM operation LEFT JOIN gpu_context AS ran ON ran.context = operation.context
    UNION ALL
    SELECT profile, start, duration, operation, name FROM place
)
SELECT line.name AS line, (drawn.start - span.start) / 1e9 AS start, drawn.duration / 1e9 AS duration, drawn.operation,
    left(drawn.name, 120) AS name
FROM drawn JOIN drawn_line AS line ON line.profile = drawn.profile JOIN traced_span AS span ON true
ORDER BY line.place, start, duration DESC
