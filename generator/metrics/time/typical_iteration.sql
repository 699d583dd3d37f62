/*---
title: A typical iteration
better: neither
definition: >-
  GPU operations of the iteration whose duration is nearest to the median, and, as line CPU,
  the function in which launching threads spent most of its longest gap.
population: >-
  GPU operations that begin in it, of the GPU by whose operations iterations are told; the first
  400 rows
needs: [gpu_trace, iterations]
source: HPCToolkit's traces
columns:
  - {name: line, title: 'Line', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: operation, title: 'Operation', unit: text}
  - {name: name, title: 'Name', unit: text}
---*/
WITH typical AS MATERIALIZED (
    SELECT iteration, start, start + duration AS stop
    FROM steady_iterations($run)
    ORDER BY abs(duration - (SELECT median(duration) FROM steady_iterations($run))), iteration
    LIMIT 1
),
gpu AS MATERIALIZED (
    SELECT device FROM gpu_stream WHERE run = $run AND profile = busiest_stream($run)
),
gap AS MATERIALIZED (
    SELECT gpu_gap.device, greatest(gpu_gap.start, typical.start) AS start, least(gpu_gap.stop, typical.stop) AS stop
    FROM gpu_gap JOIN typical ON gpu_gap.start < typical.stop AND gpu_gap.stop > typical.start
    WHERE gpu_gap.run = $run AND gpu_gap.device = (SELECT device FROM gpu)
    ORDER BY least(gpu_gap.stop, typical.stop) - greatest(gpu_gap.start, typical.start) DESC, gpu_gap.start
    LIMIT 1
),
element AS (
    SELECT line_label($run, operation.profile) AS line, operation.start - typical.start AS start, operation.duration,
        operation.operation, operation_name($run, operation.context) AS name
    FROM gpu_operation AS operation JOIN typical ON operation.start >= typical.start AND operation.start < typical.stop
    WHERE operation.run = $run
        AND operation.profile IN (SELECT profile FROM gpu_stream WHERE run = $run AND device = (SELECT device FROM gpu))
    UNION ALL
    SELECT 'CPU', gap.start - typical.start, gap.stop - gap.start, 'GPU idle', blamed.name
    FROM gap
    CROSS JOIN typical
    JOIN sampled_functions($run, (SELECT list(struct_pack(number := 1, device := device, start := start, stop := stop)) FROM gap)) AS blamed ON true
)
SELECT line, start / 1e9 AS start, duration / 1e9 AS duration, operation, name
FROM element
ORDER BY line = 'CPU' DESC, start, line
LIMIT 400
