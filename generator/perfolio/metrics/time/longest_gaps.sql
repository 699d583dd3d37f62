/*---
title: Longest gaps
better: lower
definition: >-
  The 20 longest gaps between operations of a GPU, start-up, warm-up and the end of the run left out: when, after which
  and before which operation, and
  the innermost function in which, or in what it calls, launching threads were for plainly more than half of it by samples
  (55 %) or, where it is shorter than ten periods of the samples, of all gaps of like length.
population: >-
  steady iterations, or the GPU span where none were found; all streams, any GPU
needs: [gpu_trace]
source: traces
empty: the GPU is never idle in this time
columns:
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: after, title: 'After', unit: text}
  - {name: before, title: 'Before', unit: text}
  - {name: blame, title: 'Launching thread in', unit: text}
---*/
WITH gap AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY duration DESC, start) AS rank, device, start, stop, duration
    FROM steady_gaps ORDER BY duration DESC, start LIMIT 20
),
after AS (
    SELECT gap.rank, arg_max(operation.context, operation.start) AS context
    FROM gap
    JOIN gpu_stream AS stream ON stream.device = gap.device
    JOIN gpu_operation AS operation
        ON operation.profile = stream.profile AND operation.start + operation.duration = gap.start
    GROUP BY gap.rank
),
before AS (
    SELECT gap.rank, min(operation.context) AS context
    FROM gap
    JOIN gpu_stream AS stream ON stream.device = gap.device
    JOIN gpu_operation AS operation ON operation.profile = stream.profile AND operation.start = gap.stop
    GROUP BY gap.rank
),
blamed AS (
    SELECT number AS rank, name
    FROM sampled_functions((SELECT list(struct_pack(number := rank, device := device, start := start, stop := stop)) FROM gap))
)
SELECT (gap.start - traced_span.start) / 1e9 AS start, gap.duration / 1e9 AS duration,
    ended.words AS after, begun.words AS before, blamed.name AS blame
FROM gap
JOIN traced_span ON true
LEFT JOIN after ON after.rank = gap.rank
LEFT JOIN before ON before.rank = gap.rank
LEFT JOIN gpu_context AS ended ON ended.context = after.context
LEFT JOIN gpu_context AS begun ON begun.context = before.context
LEFT JOIN blamed ON blamed.rank = gap.rank
ORDER BY gap.rank
