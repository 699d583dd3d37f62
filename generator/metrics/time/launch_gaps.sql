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
SELECT part.part, spent.brief / 1e9 AS brief, spent.longer / 1e9 AS longer, spent."count" AS "count", spent.busy / 1e9 AS busy,
    (
        SELECT count(*) / gpus() FROM gpu_operation AS ran
        JOIN gpu_stream AS stream ON stream.profile = ran.profile
        JOIN begins_on_gpus(part.start) AS begin ON begin.device = stream.device
        WHERE ran.start >= begin.start AND ran.start < part.stop
    ) AS operations
FROM (
    SELECT 1 AS place, 'steady iterations' AS part, start, stop FROM steady_bounds WHERE iterations > 0
    UNION ALL
    SELECT 2, 'warm-up', min(start), max(stop) FROM iteration WHERE mark = 'warm-up' HAVING count(*) > 0
    UNION ALL
    SELECT 3, 'run', start, stop FROM gpu_span
) AS part
CROSS JOIN LATERAL (
    SELECT coalesce(sum(length) FILTER (WHERE gap AND length < pow(10, 4.5)), 0) / gpus() AS brief,
        coalesce(sum(length) FILTER (WHERE gap AND length >= pow(10, 4.5)), 0) / gpus() AS longer,
        count(*) FILTER (WHERE gap AND length >= pow(10, 4.5)) / gpus() AS "count",
        coalesce(sum(length) FILTER (WHERE NOT gap), 0) / gpus() AS busy
    FROM (
        SELECT level.kernels + level.copies + level.others = 0 AS gap, least(level.stop, part.stop) - greatest(level.start, begin.start) AS length
        FROM gpu_level AS level
        JOIN begins_on_gpus(part.start) AS begin ON begin.device = level.device
        WHERE level.start < part.stop AND level.stop > begin.start
    )
) AS spent
ORDER BY part.place
