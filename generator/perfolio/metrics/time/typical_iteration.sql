/*---
title: The iteration closest to the median
better: neither
definition: >-
  GPU operations of the iteration whose duration is nearest to the median. Line GPU holds all of
  them together: how many there are, the time in which any of them ran, and the longest gap
  between them, which differ a little from the medians over all iterations; line CPU the function in which launching threads were in that gap, told
  as for the longest gaps. Where there are more than 400, those of one line and kind that begin within a 500th of the iteration
  without that gap are one row: from the first to the last of them.
population: >-
  GPU operations that begin in it, of the GPU by whose operations iterations are told; the first
  4,000 rows
needs: [gpu_trace, iterations]
source: traces
columns:
  - {name: line, title: 'Line', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: operation, title: 'Operation', unit: text}
  - {name: name, title: 'Name', unit: text}
  - {name: operations, title: 'Operations', unit: count}
  - {name: busy, title: 'Running', unit: s}
---*/
WITH typical AS MATERIALIZED (
    FROM typical_iteration
),
gpu AS MATERIALIZED (
    SELECT device FROM gpu_stream WHERE profile = busiest_stream()
),
gap AS MATERIALIZED (
    SELECT gpu_gap.device, greatest(gpu_gap.start, typical.start) AS start, least(gpu_gap.stop, typical.stop) AS stop
    FROM gpu_gap JOIN typical ON gpu_gap.start < typical.stop AND gpu_gap.stop > typical.start
    WHERE gpu_gap.device = (SELECT device FROM gpu)
),
longest AS MATERIALIZED (SELECT * FROM gap ORDER BY stop - start DESC, start LIMIT 1),
operation AS MATERIALIZED (
    SELECT operation.profile, operation.context, operation.operation, operation.start - typical.start AS start, operation.duration,
        count(*) OVER () AS number,
        (typical.stop - typical.start - coalesce((SELECT stop - start FROM longest), 0)) / 500 AS width
    FROM gpu_operation AS operation JOIN typical ON operation.start >= typical.start AND operation.start < typical.stop
    WHERE operation.profile IN (SELECT profile FROM gpu_stream WHERE device = (SELECT device FROM gpu))
),
drawn AS MATERIALIZED (
    SELECT profile, operation, arg_max(context, duration) AS context, min(start) AS start,
        max(start + duration) - min(start) AS duration, count(*) AS operations, sum(duration) AS busy
    FROM (
        SELECT *, if(number > 400, floor(start / width), row_number() OVER (ORDER BY start, profile)) AS place
        FROM operation
    )
    GROUP BY profile, operation, place
),
element AS (
    SELECT line.name AS line, drawn.start, drawn.duration, drawn.operation,
        ran.words || if(drawn.operations > 1, format(' and {} more', drawn.operations - 1), '') AS name,
        drawn.operations, drawn.busy
    FROM drawn
    JOIN line_name AS line ON line.profile = drawn.profile
    LEFT JOIN gpu_context AS ran ON ran.context = drawn.context
    UNION ALL
    SELECT 'GPU', coalesce(longest.start - typical.start, 0), coalesce(longest.stop - longest.start, 0), 'GPU idle', NULL,
        (SELECT count(*) FROM operation), typical.stop - typical.start - coalesce((SELECT sum(stop - start) FROM gap), 0)
    FROM typical LEFT JOIN longest ON true
    UNION ALL
    SELECT 'CPU', longest.start - typical.start, longest.stop - longest.start, 'GPU idle', blamed.name, NULL, NULL
    FROM longest
    CROSS JOIN typical
    JOIN sampled_functions((SELECT list(struct_pack(number := 1, device := device, start := start, stop := stop)) FROM longest)) AS blamed ON true
)
SELECT line, start / 1e9 AS start, duration / 1e9 AS duration, operation, name, operations, busy / 1e9 AS busy
FROM element
ORDER BY line = 'CPU' DESC, line = 'GPU' DESC, start, line
LIMIT 4000
