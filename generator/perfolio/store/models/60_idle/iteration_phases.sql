/*---
name: iteration_parts
about: >-
  Steady iterations by phase of the program: time of GPU operations that it launched, and idle time of the GPU
  in which launching threads ran it, over all iterations together [ns]. Of gaps shorter than the period of
  samples, where these have fewer than 100, the operation that ends a gap tells the phase (told, part of
  gpu_idle), and samples share the rest, if there are 20. Idle time in profiler_contexts counts as the phase
  profiler, whoever called them. Each moment counts once, shared by the operations that run at once; no row
  where no function tells a phase. n is what a share of the idle time but told rests on: see equal_samples.
---*/
WITH steady AS (
    SELECT min(start) AS start, max(start + duration) AS stop, sum(duration) AS length, sum(gpu_busy) AS busy, count(*) AS iterations
    FROM steady_iterations
),
-- When several operations of a GPU run at once, and how much of that time was too much up to its end, if each counted whole.
crowded AS MATERIALIZED (
    SELECT device, start, stop, 1 - 1 / (kernels + copies + others) AS rate,
        sum((stop - start) * (1 - 1 / (kernels + copies + others))) OVER (PARTITION BY device ORDER BY start) AS excess
    FROM gpu_level WHERE kernels + copies + others > 1
),
-- Bounds of the time as scalars: joined, they make DuckDB expect so few rows that it looks for each through all of crowded.
operation AS (
    SELECT gpu_context.launcher, gpu_context.operation,
        sum(ran.duration - coalesce(last.excess - greatest(last.stop - ran.start - ran.duration, 0) * last.rate, 0)
            + coalesce(first.excess - greatest(first.stop - ran.start, 0) * first.rate, 0)) AS spent
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    JOIN gpu_context ON gpu_context.context = ran.context
    ASOF LEFT JOIN crowded AS first ON first.device = stream.device AND first.start <= ran.start
    ASOF LEFT JOIN crowded AS last ON last.device = stream.device AND last.start <= ran.start + ran.duration
    WHERE ran.start >= (SELECT start FROM steady) AND ran.start < (SELECT stop FROM steady)
    GROUP BY ALL
),
-- Gaps shorter than the period of samples have one now and then. Where there are few of them, the operation that ends a gap
-- tells whom the GPU waited for, by its calling path; samples share what ends with one whose path tells nothing.
few AS MATERIALIZED (
    SELECT CASE WHEN coalesce(sum(samples) FILTER (WHERE octave < floor(log2(launch_period()))), 0) < 100
        THEN floor(log2(launch_period())) END AS below
    FROM blame WHERE steady
),
brief AS MATERIALIZED (
    SELECT gap.device, gap.stop, gap.duration
    FROM idle_gaps AS gap CROSS JOIN few
    WHERE gap.inside AND gap.period IN ('steady', 'outlier') AND greatest(floor(log2(gap.duration)), 9) < few.below
),
ended AS MATERIALIZED (
    SELECT frame.phase, sum(brief.duration) / gpus() AS spent
    FROM brief
    JOIN (
        SELECT stream.device, ran.start, min(ran.context) AS context
        FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.profile = ran.profile GROUP BY ALL
    ) AS following ON following.device = brief.device AND following.start = brief.stop
    JOIN gpu_context ON gpu_context.context = following.context
    JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
    JOIN frame ON frame.frame = enclosing.frame AND frame.phase IN ('data', 'transfer', 'forward', 'backward', 'optimizer')
    GROUP BY frame.phase
),
untold AS (
    SELECT greatest(coalesce((SELECT sum(duration) / gpus() FROM brief), 0) - coalesce((SELECT sum(spent) FROM ended), 0), 0) AS spent
),
held AS (
    SELECT CASE WHEN blame.context IN (SELECT context FROM profiler_contexts) THEN 'profiler' ELSE coalesce(frame.phase, 'other') END AS phase,
        coalesce(blame.octave < few.below, false) AS brief, sum(blame.duration) AS spent, sum(blame.square) AS square, sum(blame.samples) AS samples
    FROM blame
    CROSS JOIN few
    JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
    JOIN frame ON frame.frame = enclosing.frame
    WHERE blame.steady
    GROUP BY ALL
),
sampled AS MATERIALIZED (
    SELECT held.phase, held.spent, held.square,
        CASE WHEN held.brief THEN untold.spent / sum(held.spent) OVER (PARTITION BY held.brief) ELSE 1 END AS weight
    FROM held CROSS JOIN untold
    WHERE NOT held.brief OR held.phase NOT IN ('forward', 'backward', 'optimizer')
    QUALIFY NOT held.brief OR sum(held.samples) OVER (PARTITION BY held.brief) >= 20
),
part AS (
    SELECT CASE WHEN operation.operation LIKE 'copy%' AND operation.operation NOT IN ('copy D2D', 'copy P2P') THEN 'transfer'
            ELSE coalesce(frame.phase, 'other') END AS phase,
        operation.operation LIKE 'copy%' AND operation.operation NOT IN ('copy D2D', 'copy P2P') AS is_copy,
        operation.spent AS ran, 0 AS idle, 0 AS told
    FROM operation
    JOIN enclosing_frame AS enclosing ON enclosing.context = operation.launcher
    JOIN frame ON frame.frame = enclosing.frame
    UNION ALL
    SELECT phase, false, 0, weight * spent, 0 FROM sampled
    UNION ALL
    SELECT phase, false, 0, spent, spent FROM ended
),
summed AS (
    SELECT CASE WHEN phase IN ('initialisation', 'importing') THEN 'other' ELSE phase END AS phase,
        sum(ran) AS ran, sum(idle) AS idle, sum(told) AS told, bool_or(NOT is_copy AND phase IN ('data', 'forward', 'backward', 'optimizer')) AS known
    FROM part GROUP BY ALL
),
whole AS MATERIALIZED (
    SELECT summed.phase, coalesce(summed.ran * steady.busy / nullif(sum(summed.ran) OVER (), 0), 0) AS gpu_busy, summed.idle AS gpu_idle, summed.told
    FROM summed CROSS JOIN steady QUALIFY bool_or(summed.known) OVER ()
)
SELECT phased.phase, phased.gpu_busy, phased.gpu_idle, phased.told, steady.iterations, steady.length,
    (SELECT equal_samples(sum(weight * spent), sum(weight * weight * square)) FROM sampled) AS n
FROM steady
CROSS JOIN (
    FROM whole
    UNION ALL
    SELECT 'not told', 0, greatest(any_value(length - busy) - sum(gpu_idle), 0), 0 FROM whole CROSS JOIN steady HAVING count(*) > 0
) AS phased

/*---
name: unprofiled_iterations
about: >-
  Steady iterations by iteration_parts, over all of them together: the profiler's own calls, all else (own), and
  what is left of that without input data (rest), in which idle time without any sample counts, but not in its
  lower end. Ends are those of 95 % Wilson intervals; n is what these rest on. hooked tells whether most of the
  main thread's time for input passes without samples while its CPU clock runs (dropped_share): that is most
  likely the profiler's, too, and in none of its calls. No row where no function tells a phase [ns].
---*/
WITH whole AS (
    SELECT sum(gpu_idle) FILTER (WHERE phase = 'profiler') AS profiler,
        sum(gpu_idle - told) FILTER (WHERE phase = 'data') AS input,
        coalesce(sum(gpu_busy + told) FILTER (WHERE phase <> 'data'), 0) AS busy,
        coalesce(sum(gpu_idle - told) FILTER (WHERE phase <> 'not told'), 0) AS blamed,
        sum(gpu_idle) FILTER (WHERE phase = 'not told') AS unknown,
        any_value(length) AS length, any_value(iterations) AS iterations, any_value(n) AS n
    FROM iteration_parts HAVING count(*) > 0
),
rest AS (
    SELECT *, greatest(blamed - coalesce(profiler, 0) - coalesce(input, 0), 0) / nullif(blamed, 0) AS part FROM whole
)
SELECT coalesce(profiler, 0) AS profiler, blamed * blame_low(coalesce(profiler, 0) / nullif(blamed, 0), n) AS profiler_low,
    blamed * blame_high(coalesce(profiler, 0) / nullif(blamed, 0), n) AS profiler_high, length - coalesce(profiler, 0) AS own,
    busy + blamed * coalesce(part, 0) + unknown AS rest, busy + blamed * blame_low(part, n) AS rest_low,
    busy + blamed * blame_high(part, n) + unknown AS rest_high, iterations, n,
    coalesce((SELECT value > 0.5 FROM dropped_share WHERE part = 'data'), false) AS hooked
FROM rest
