/*---
title: Gaps that launches may fill
better: lower
definition: >-
  Time in gaps between operations of a GPU of less than 32 µs (10^4.5 ns), which may be the launch of the next one, and
  in longer ones; how many are longer; the time in which any operation runs, and how many begin. While operations run
  that were launched ahead of time, the host can do what it now does in longer gaps.
population: >-
  all streams, of several GPUs the mean. In steady iterations, in those of a warm-up before them, and from the first
  operation to the last one
needs: [gpu_trace]
source: traces
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: brief, title: 'In gaps of less than 32 µs', unit: s}
  - {name: longer, title: 'In longer gaps', unit: s}
  - {name: count, title: 'Longer gaps', unit: count}
  - {name: busy, title: 'In operations', unit: s}
  - {name: operations, title: 'Operations', unit: count}
---*/
WITH spent AS (
    SELECT part.place, part.part, level.kernels + level.copies + level.others = 0 AS gap,
        least(level.stop, part.stop) - greatest(level.start, part.start) AS length
    FROM gpu_parts AS part
    JOIN gpu_level AS level ON level.device = part.device AND level.start < part.stop AND level.stop > part.start
    WHERE part.part <> 'iterations'
),
ran AS (
    SELECT part.part, count(*) / gpus() AS operations
    FROM gpu_parts AS part
    JOIN gpu_stream AS stream ON stream.device = part.device
    JOIN gpu_operation AS operation ON operation.profile = stream.profile
    WHERE operation.start >= part.start AND operation.start < part.stop
    GROUP BY part.part
)
SELECT spent.part,
    coalesce(sum(length) FILTER (WHERE gap AND length < pow(10, 4.5)), 0) / gpus() / 1e9 AS brief,
    coalesce(sum(length) FILTER (WHERE gap AND length >= pow(10, 4.5)), 0) / gpus() / 1e9 AS longer,
    count(*) FILTER (WHERE gap AND length >= pow(10, 4.5)) / gpus() AS "count",
    coalesce(sum(length) FILTER (WHERE NOT gap), 0) / gpus() / 1e9 AS busy,
    coalesce(any_value(ran.operations), 0) AS operations
FROM spent
LEFT JOIN ran ON ran.part = spent.part
GROUP BY spent.place, spent.part
ORDER BY spent.place
