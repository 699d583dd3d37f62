/*---
name: gap_distribution
title: Gaps by length
better: lower
definition: >-
  Number and total time of gaps between operations of a GPU by length, in steps of half a decade. Start-up,
  warm-up and the end of the run are not in it.
population: >-
  steady iterations, or the GPU span where none were found; all streams, of several GPUs the
  sum
needs: [gpu_trace]
source: traces
empty: the GPU is never idle in this time
columns:
  - {name: from, title: 'From', unit: s}
  - {name: to, title: 'To', unit: s}
  - {name: count, title: 'Gaps', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of gap time', unit: ratio}
---*/
WITH class AS (
    SELECT floor(2 * log10(duration)) AS half_decade, count(*) AS "count", sum(duration) AS spent
    FROM steady_gaps
    GROUP BY half_decade
)
SELECT pow(10, half_decade / 2) / 1e9 AS "from", pow(10, (half_decade + 1) / 2) / 1e9 AS "to", "count",
    spent / 1e9 AS "time", spent / sum(spent) OVER () AS share
FROM class
ORDER BY half_decade

/*---
name: gap_sides
title: Operations around the longest gap of an iteration
better: neither
definition: >-
  The operation that most often comes last before the longest gap of a steady iteration, and the
  one that most often comes first after it, the phase of the program that launched it, and for how
  many of these gaps that holds. File and line are of the launch.
population: >-
  the longest gap of each GPU in each complete iteration that is no warm-up, by its begin
needs: [gpu_trace, iterations]
source: traces
caveat: >-
  What the host does between them is not said: only a CPU trace tells.
empty: the GPU is never idle in a steady iteration
columns:
  - {name: side, title: 'Side', unit: text}
  - {name: operation, title: 'Operation', unit: text}
  - {name: phase, title: 'Phase', unit: text}
  - {name: share, title: 'Share of these gaps', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH gap AS MATERIALIZED (
    SELECT row_number() OVER () AS number, gpu_gap.device, gpu_gap.start, gpu_gap.stop
    FROM gpu_gap ASOF JOIN steady_iterations AS steady ON steady.start <= gpu_gap.start
    WHERE gpu_gap.start < steady.start + steady.duration
    QUALIFY row_number() OVER (PARTITION BY steady.iteration, gpu_gap.device ORDER BY gpu_gap.duration DESC, gpu_gap.start) = 1
),
ran AS (
    SELECT stream.device, operation.context, operation.start, operation.start + operation.duration AS stop
    FROM gpu_operation AS operation
    JOIN gpu_stream AS stream ON stream.profile = operation.profile
),
side AS MATERIALIZED (
    SELECT 1 AS position, gap.number, min(ran.context) AS context
    FROM gap JOIN ran ON ran.device = gap.device AND ran.stop = gap.start GROUP BY gap.number
    UNION ALL
    SELECT 2, gap.number, min(ran.context)
    FROM gap JOIN ran ON ran.device = gap.device AND ran.start = gap.stop GROUP BY gap.number
),
usual AS MATERIALIZED (
    SELECT position, context, count(*) / (SELECT count(*) FROM gap) AS share
    FROM side
    GROUP BY position, context
    QUALIFY row_number() OVER (PARTITION BY position ORDER BY count(*) DESC, context) = 1
),
launch AS MATERIALIZED (
    SELECT usual.context, gpu_context.words, enclosing.frame
    FROM usual
    JOIN gpu_context ON gpu_context.context = usual.context
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
)
SELECT CASE usual.position WHEN 1 THEN 'before' ELSE 'after' END AS side,
    CASE launch.words
        WHEN 'copy H2D' THEN 'copy host to device'
        WHEN 'copy D2H' THEN 'copy device to host'
        WHEN 'copy D2D' THEN 'copy device to device'
        WHEN 'copy P2P' THEN 'copy from GPU to GPU'
        WHEN 'migration' THEN 'migration of pages'
        ELSE launch.words
    END AS operation,
    CASE WHEN phase.phase NOT IN ('initialisation', 'importing') THEN phase.phase END AS phase,
    usual.share, place.file, place.line, place.module
FROM usual
LEFT JOIN launch ON launch.context = usual.context
LEFT JOIN frame AS phase ON phase.frame = launch.frame
LEFT JOIN source_place AS place ON place.context = usual.context
ORDER BY usual.position

/*---
name: longest_gaps
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

/*---
name: launch_gaps
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

/*---
name: idle_parts
title: Idle time of the GPU by period
better: lower
definition: >-
  All idle time of the GPU by when it begins: earlier work, start-up (before the first iteration, or the first operation; see time.phases),
  iterations of the warm-up, typical iterations, outlying ones, the last one, whose end nothing shows, and
  after it. Of each, the gaps of up to 5 ms that PC sampling may have made, and of these and of the rest what
  samples of launching threads show to be the profiler's own calls. What is left of the rest is the host's, part of it the long
  wait of each iteration: the longest gap, where it is more than 5 ms and a fifth of the iteration, by the
  medians. It is told of complete iterations after the warm-up alone. Each moment counts once.
population: >-
  the wall time, or the GPU span where there is no CPU trace; of several GPUs the mean
needs: [gpu_trace]
source: traces; names of the profiler's libraries
caveat: >-
  The profiler's calls are by samples of threads that launch GPU operations: before the first operation and in
  time without samples none are told apart. Where no such thread was sampled they are unknown, and the host's time has them;
  so they are in gaps that PC sampling may have made where no library of the profiler was sampled.
columns:
  - {name: part, title: 'Part of the run', unit: text}
  - {name: period, title: 'Period', unit: text}
  - {name: iterations, title: 'Iterations', unit: count}
  - {name: idle, title: 'GPU idle', unit: s}
  - {name: sampling_gaps, title: 'Gaps that PC sampling may have made', unit: s}
  - {name: sampling_profiler, title: 'The profiler''s own calls in these', unit: s}
  - {name: profiler, title: 'The profiler''s own calls in other gaps', unit: s}
  - {name: host, title: 'The host', unit: s}
  - {name: wait, title: 'Long waits of it', unit: s}
  - {name: waits, title: 'Long waits, the profiler''s calls in them included', unit: s}
  - {name: each, title: 'The host, per iteration', unit: s}
---*/
SELECT any_value(CASE WHEN part.period IN ('steady', 'outlier', 'last', 'between') THEN 'iterations' ELSE part.words END) AS part,
    part.words AS period,
    nullif(any_value(counted.iterations), 0) AS iterations,
    sum(idle) / 1e9 AS idle,
    CASE WHEN pc_sampled() THEN coalesce(sum(idle) FILTER (WHERE gap = 'short'), 0) / 1e9 END AS sampling_gaps,
    CASE WHEN pc_sampled() AND any_value(known.told) AND any_value(known.seen) AND bool_or(part.period <> 'before')
        THEN coalesce(sum(profiler) FILTER (WHERE gap = 'short'), 0) / 1e9 END AS sampling_profiler,
    CASE WHEN any_value(known.told) AND bool_or(part.period <> 'before')
        THEN coalesce(sum(profiler) FILTER (WHERE gap <> 'short'), 0) / 1e9 END AS profiler,
    coalesce(sum(idle - profiler) FILTER (WHERE gap <> 'short'), 0) / 1e9 AS host,
    CASE WHEN any_value(part.period) IN ('steady', 'outlier')
        THEN coalesce(sum(idle - profiler) FILTER (WHERE gap = 'wait'), 0) / 1e9 END AS wait,
    CASE WHEN any_value(part.period) IN ('steady', 'outlier')
        THEN coalesce(sum(idle) FILTER (WHERE gap = 'wait'), 0) / 1e9 END AS waits,
    coalesce(sum(idle - profiler) FILTER (WHERE gap <> 'short'), 0) / nullif(any_value(counted.iterations), 0) / 1e9 AS each
FROM (
    SELECT *, CASE period
        WHEN 'before' THEN coalesce((SELECT period FROM idle_periods WHERE start IS NULL AND period <> 'between'), 'start-up')
        WHEN 'steady' THEN 'typical iterations'
        WHEN 'outlier' THEN 'outlying iterations'
        WHEN 'last' THEN 'last iteration'
        WHEN 'between' THEN 'between operations'
        ELSE period
    END AS words
    FROM idle_parts
) AS part
CROSS JOIN (SELECT EXISTS (FROM trace_line WHERE launching) AS told, EXISTS (FROM profiler_contexts) AS seen) AS known
LEFT JOIN (
    SELECT CASE mark WHEN '' THEN 'steady' WHEN 'incomplete' THEN 'last' ELSE mark END AS period, count(*) AS iterations
    FROM iteration GROUP BY ALL
) AS counted ON counted.period = part.period
GROUP BY part.words
ORDER BY min(part.first)

/*---
name: outlier_distances
title: Distances of outlying iterations
better: neither
definition: >-
  How many iterations lie from one outlying iteration to the next, where they come so evenly that something counts:
  at least four of them, whose distances differ by one iteration, or a tenth, at most.
population: >-
  complete iterations that are no warm-up
needs: [gpu_trace, iterations]
source: traces
empty: fewer than four iterations are outlying, or they do not come evenly
columns:
  - {name: outliers, title: 'Outlying iterations', unit: count}
  - {name: least, title: 'Shortest distance', unit: count}
  - {name: most, title: 'Longest distance', unit: count}
  - {name: every, title: 'Iterations from one to the next', unit: text}
---*/
SELECT count(*) + 1 AS outliers, min(distance) AS least, max(distance) AS most,
    CASE WHEN min(distance) = max(distance) THEN '' ELSE min(distance) || ' to ' END || max(distance) AS every
FROM (SELECT iteration - lag(iteration) OVER (ORDER BY iteration) AS distance FROM iteration WHERE mark = 'outlier')
WHERE distance IS NOT NULL
HAVING count(*) >= 3 AND min(distance) > 1 AND max(distance) - min(distance) <= greatest(1, 0.1 * min(distance))
