-- Views and macros over traces and over what derive.sql computes from them.
-- Times are BIGINT nanoseconds since the epoch; subtract before converting to DOUBLE.

CREATE MACRO placeholder_contexts(r) AS TABLE
WITH RECURSIVE below AS (
    SELECT context.id AS context, context.parent AS launcher, function.name AS placeholder
    FROM context JOIN function ON function.run = context.run AND function.id = context.function
    WHERE context.run = r AND function.name LIKE '<gpu %>'
    UNION ALL
    SELECT context.id, below.launcher, below.placeholder
    FROM below JOIN context ON context.parent = below.context
    WHERE context.run = r
)
SELECT context, arg_max(launcher, depth) AS launcher, arg_max(placeholder, depth) AS placeholder
FROM (
    SELECT below.*, launcher.depth FROM below LEFT JOIN context AS launcher ON launcher.run = r AND launcher.id = below.launcher
)
GROUP BY context;
COMMENT ON MACRO TABLE placeholder_contexts IS 'Contexts of GPU operations: those of functions such as <gpu kernel> and all below, with the nearest such function and what launched it.';

CREATE MACRO recorded_operations(r) AS TABLE
SELECT trace.profile, CAST(trace."time" AS BIGINT) AS start, CAST(trace.duration AS BIGINT) AS duration,
    trace.suspect, coalesce(gpu_context.operation, 'other') AS operation, trace.context
FROM trace
JOIN profile ON profile.run = r AND profile."index" = trace.profile AND profile.kind = 'GPU stream'
LEFT JOIN gpu_context ON gpu_context.run = r AND gpu_context.context = trace.context
WHERE trace.run = r AND trace.context <> 0 AND trace.duration IS NOT NULL;
COMMENT ON MACRO TABLE recorded_operations IS 'Operations of GPU streams as recorded; one that has no end is left out [ns].';

CREATE MACRO launching_contexts(r) AS TABLE
WITH RECURSIVE site AS (
    SELECT DISTINCT context.id, context.parent, context.depth, context.depth AS bottom
    FROM gpu_context JOIN context ON context.run = r AND context.id = gpu_context.launcher
    WHERE gpu_context.run = r
),
path AS (
    SELECT id, parent, depth, bottom FROM site
    UNION
    SELECT context.id, context.parent, context.depth, path.bottom
    FROM path JOIN context ON context.id = path.parent
    WHERE context.run = r AND 2 * context.depth >= path.bottom
),
near AS (
    SELECT DISTINCT id FROM path
    UNION
    SELECT context.id FROM near JOIN context ON context.parent = near.id WHERE context.run = r
)
SELECT id AS context FROM near WHERE id NOT IN (SELECT context FROM gpu_context WHERE run = r);
COMMENT ON MACRO TABLE launching_contexts IS 'Contexts that share at least half of the calling path of a GPU operation: a thread that was seen in one of them launches GPU operations.';

CREATE MACRO cpu_clock(r) AS (
    SELECT CASE
        WHEN bool_or(name = 'REALTIME (sec)') THEN 'elapsed'
        WHEN bool_or(name = 'CPUTIME (sec)' OR name LIKE 'perf::%' OR name LIKE 'PAPI_%' OR lower(name) LIKE '%cycles%') THEN 'running'
        ELSE 'elapsed'
    END
    FROM collected WHERE run = r
);
COMMENT ON MACRO cpu_clock IS 'By which clock CPU threads were sampled: running (CPU time, cycles: it stands still while the thread waits) or elapsed (also while it waits; so taken where the metrics do not tell).';

-- lead() OVER () goes along the table, which holds each line in order of time, and sorts nothing.
-- Should the next row not begin where this one ends, it is taken for no neighbour.
CREATE MACRO cpu_samples(r) AS TABLE
SELECT profile, context, start, duration,
    CASE WHEN after = 0 THEN duration + coalesce(after_duration, 0) ELSE duration END AS room,
    coalesce(after <> 0, false) AS again
FROM (
    SELECT profile, context, CAST("time" AS BIGINT) AS start, CAST(duration AS BIGINT) AS duration,
        CASE WHEN lead(profile) OVER () = profile AND lead("time") OVER () = "time" + duration THEN lead(context) OVER () END AS after,
        CAST(lead(duration) OVER () AS BIGINT) AS after_duration
    FROM trace
    WHERE run = r
)
WHERE context <> 0 AND duration > 0;
COMMENT ON MACRO TABLE cpu_samples IS 'Points of trace lines that run, those of GPU streams as well: time to the next point (duration) and, over an idle between, to the one after that (room) [ns]; whether the next point runs too (again).';

CREATE MACRO cpu_interval(r) AS TABLE
SELECT sample.profile, sample.context, sample.start AS taken, coalesce(long.start, sample.start) AS start,
    sample.start + least(line.longest, CASE line.clock WHEN 'running' THEN sample.room ELSE sample.duration END) AS stop
FROM cpu_samples(r) AS sample
JOIN trace_line AS line ON line.run = r AND line.profile = sample.profile AND line.kind = 'CPU thread'
LEFT JOIN long_sample AS long ON long.run = r AND long.profile = sample.profile AND long.sample = sample.start;
COMMENT ON MACRO TABLE cpu_interval IS 'When CPU threads ran, by the trace: from a sample on for trace_line.longest, but not into the next sample; by the elapsed clock, to the next point at most. A long_sample also stands for the time before it. taken is when the sample was taken.';

-- Linux looks at timers of CPU time at each tick of its clock, and hpcrun starts its timer again at each
-- sample, also at one that it drops. A thread that runs is therefore sampled at multiples of one period,
-- whatever is dropped between; a wait shifts them by its ticks, of which a period has two or more unless
-- no gap of the run is off them: then the multiples tell nothing.
CREATE MACRO timer_gaps(r) AS TABLE
WITH spaced AS MATERIALIZED (
    SELECT sample.profile, sample.start AS taken, line.longest,
        sample.start - lag(sample.start) OVER (PARTITION BY sample.profile ORDER BY sample.start) AS gap
    FROM cpu_samples(r) AS sample
    JOIN trace_line AS line ON line.run = r AND line.profile = sample.profile AND line.kind = 'CPU thread' AND line.clock = 'running'
),
rough AS (
    SELECT median(gap) AS period FROM spaced WHERE gap < 1.5 * longest
),
timer AS (
    SELECT coalesce(median(gap / periods) FILTER (WHERE periods BETWEEN 2 AND 20 AND abs(gap / period - periods) <= 0.125), any_value(period)) AS period
    FROM (SELECT gap, period, round(gap / period) AS periods FROM spaced CROSS JOIN rough)
),
told AS (
    SELECT spaced.profile, spaced.taken, spaced.gap, spaced.gap > 1.5 * timer.period AS long,
        abs(spaced.gap / timer.period - round(spaced.gap / timer.period)) <= 0.125 AS whole
    FROM spaced CROSS JOIN timer
    WHERE timer.period > 0
)
SELECT profile, taken, gap, CASE WHEN coalesce(avg(CAST(NOT whole AS INTEGER)) FILTER (WHERE long) OVER () >= 0.05, false) THEN whole END AS whole
FROM told;
COMMENT ON MACRO TABLE timer_gaps IS 'By sample of the running clock: the time since the thread''s last sample [ns], and whether that is a whole number of the timer''s periods, to an eighth of one. The period is the median of gaps over their number of periods. NULL where fewer than one in twenty of the run''s gaps of more than 1.5 periods are off them: there a wait might not be, either.';

CREATE MACRO launching_interval(r) AS TABLE
SELECT held.profile, held.context, held.taken, held.start, held.stop
FROM cpu_interval(r) AS held
JOIN trace_line AS line ON line.run = r AND line.profile = held.profile AND line.launching;
COMMENT ON MACRO TABLE launching_interval IS 'When threads that launch GPU operations ran: see cpu_interval [ns].';

CREATE MACRO launch_period(r) AS (
    SELECT max(CASE clock WHEN 'running' THEN longest ELSE longest // 10 END) FROM trace_line WHERE run = r AND launching
);
COMMENT ON MACRO launch_period IS 'The distance of samples of threads that launch GPU operations; NULL where none is [ns].';

CREATE VIEW gpu_device AS
SELECT stream.run, stream.device, any_value(profile.node) AS node, any_value(profile.rank) AS rank,
    any_value(profile.gpu_context) AS gpu_context,
    min(stream.start) AS start, max(stream.stop) AS stop, sum(stream.operations) AS operations
FROM gpu_stream AS stream
JOIN profile ON profile.run = stream.run AND profile."index" = stream.profile
GROUP BY stream.run, stream.device;
COMMENT ON VIEW gpu_device IS 'GPUs on which operations ran, and from the first to the last one on each [ns].';

CREATE MACRO gpus(r) AS (
    SELECT count(DISTINCT device) FROM gpu_stream WHERE run = r
);
COMMENT ON MACRO gpus IS 'Number of GPUs of a run on which operations ran: what sums over GPUs are divided by for their mean.';

CREATE VIEW gpu_span AS
SELECT run, min(start) AS start, max(stop) AS stop, CAST(sum(operations) AS BIGINT) AS operations
FROM gpu_stream
GROUP BY run;
COMMENT ON VIEW gpu_span IS 'From the begin of the first operation of any GPU to the end of the last one, per run [ns].';

CREATE MACRO fed_gpus(r) AS TABLE
SELECT line.profile, gpu_device.device
FROM trace_line AS line
JOIN profile ON profile.run = r AND profile."index" = line.profile
JOIN gpu_device ON gpu_device.run = r
    AND coalesce(profile.node = gpu_device.node, true) AND coalesce(profile.rank = gpu_device.rank, true)
WHERE line.run = r AND line.launching;
COMMENT ON MACRO TABLE fed_gpus IS 'The GPUs that each launching thread may feed: those of its node and rank, or all where the profile does not tell.';

-- Where most stretches of two periods or more are whole numbers of them, the profiler drops samples while threads run, of some
-- code most: there a sample stands for all that passed since the thread's last one, as on the main thread (main_stretch), less
-- a period for each sample of other threads. Where a stretch is a wait, it is that of what comes after.
CREATE MACRO drops_samples(r) AS (
    SELECT coalesce(avg(CAST(gap.whole AS INTEGER)) >= 0.75, false)
    FROM timer_gaps(r) AS gap
    JOIN trace_line AS line ON line.run = r AND line.profile = gap.profile AND line.launching
    WHERE gap.gap > 1.5 * line.longest
);
COMMENT ON MACRO drops_samples IS 'Whether the profiler drops samples of threads that launch GPU operations while they run: three in four of their stretches of a period and a half or more are a whole number of periods (timer_gaps), of which waits alone are half at most.';

CREATE MACRO fed_samples(r) AS TABLE
SELECT fed.device, held.profile, held.context, held.taken, held.start, held.stop, launch_period(r) AS stands
FROM launching_interval(r) AS held
JOIN fed_gpus(r) AS fed ON fed.profile = held.profile;
COMMENT ON MACRO TABLE fed_samples IS 'Samples of launching threads for each GPU that they feed (see launching_interval), each of which stands for a period [ns].';

CREATE MACRO launching_samples(r) AS TABLE
WITH drops AS MATERIALIZED (
    SELECT drops_samples(r) AS drops
),
placed AS (
    SELECT *, row_number() OVER (PARTITION BY device ORDER BY taken, profile) AS place
    FROM fed_samples(r)
    WHERE (SELECT drops FROM drops)
)
FROM fed_samples(r) WHERE NOT (SELECT drops FROM drops)
UNION ALL
SELECT device, profile, context, taken, start, stop, CASE WHEN start = taken THEN greatest(taken - before - others * stands, stands) ELSE stands END
FROM (
    SELECT *, lag(taken) OVER line AS before, place - lag(place) OVER line - 1 AS others
    FROM placed
    WINDOW line AS (PARTITION BY device, profile ORDER BY place)
);
COMMENT ON MACRO TABLE launching_samples IS 'The rows of fed_samples, but where drops_samples each stands for the time since the thread''s last sample, less a period for each sample of another thread in it [ns].';

CREATE VIEW cpu_trace_span AS
SELECT run, min(start) AS start, max(stop) AS stop
FROM trace_line
GROUP BY run
HAVING bool_or(kind = 'CPU thread' AND active > 0);
COMMENT ON VIEW cpu_trace_span IS 'From the first trace point of any line to the last one, for runs with a CPU trace: the wall time [ns].';

CREATE MACRO busiest_thread_share(r, metric_name) AS TABLE
SELECT coalesce(max(profile_total.value) FILTER (WHERE profile_total.name = metric_name), 0)
    / nullif(any_value(span.stop - span.start) / 1e9, 0) AS value
FROM cpu_trace_span AS span
LEFT JOIN profile_total ON profile_total.run = span.run
WHERE span.run = r
HAVING count(*) > 0;
COMMENT ON MACRO TABLE busiest_thread_share IS 'A time metric of the profile that has most of it, as a share of the wall time of the trace; no row without one.';

CREATE VIEW traced_span AS
SELECT coalesce(cpu_trace_span.run, gpu_span.run) AS run,
    CASE WHEN cpu_trace_span.run IS NULL THEN gpu_span.start ELSE least(cpu_trace_span.start, coalesce(gpu_span.start, cpu_trace_span.start)) END AS start,
    CASE WHEN cpu_trace_span.run IS NULL THEN gpu_span.stop ELSE greatest(cpu_trace_span.stop, coalesce(gpu_span.stop, cpu_trace_span.stop)) END AS stop
FROM cpu_trace_span
FULL JOIN gpu_span ON gpu_span.run = cpu_trace_span.run;
COMMENT ON VIEW traced_span IS 'What the times of a run count from: the wall time, or the span of GPU operations where there is no CPU trace [ns].';

CREATE VIEW gpu_idle AS
SELECT run, device, 'between' AS period, start, stop FROM gpu_level WHERE kernels + copies + others = 0
UNION ALL
SELECT gpu.run, gpu.device, 'before', traced_span.start, gpu.start
FROM gpu_device AS gpu JOIN traced_span ON traced_span.run = gpu.run AND traced_span.start < gpu.start
UNION ALL
SELECT gpu.run, gpu.device, 'after', gpu.stop, traced_span.stop
FROM gpu_device AS gpu JOIN traced_span ON traced_span.run = gpu.run AND traced_span.stop > gpu.stop;
COMMENT ON VIEW gpu_idle IS 'Times without any operation on a GPU: before the first one, between operations, after the last one [ns].';

CREATE MACRO least_run_time(r) AS (
    SELECT max(value)
    FROM (
        SELECT value FROM profile_total WHERE run = r AND name IN ('CPUTIME (sec)', 'REALTIME (sec)')
        UNION ALL
        SELECT (stop - start) / 1e9 FROM cpu_trace_span WHERE run = r
    )
);
COMMENT ON MACRO least_run_time IS 'How long a run took at least: the time of its busiest thread, or the traced wall time where that is longer; NULL where neither is known [s].';

CREATE MACRO gpu_time(r, metric_name, kinds) AS (
    SELECT CASE WHEN EXISTS (FROM summary AS held WHERE held.run = r) THEN total_of(r, metric_name)
        ELSE (SELECT coalesce(sum(ran.duration), 0) / 1e9 FROM gpu_operation AS ran WHERE ran.run = r AND ran.operation LIKE kinds) END
);
COMMENT ON MACRO gpu_time IS 'Total of a time metric of GPU operations, or, in a run without any values, the summed durations of the operations of these kinds in the trace [s].';

CREATE MACRO gpu_count(r, count_name, time_name, kinds) AS (
    SELECT CASE WHEN total_of(r, count_name) > 0 THEN total_of(r, count_name)
        WHEN EXISTS (FROM gpu_operation AS ran WHERE ran.run = r)
            THEN (SELECT count(*) FROM gpu_operation AS ran WHERE ran.run = r AND ran.operation LIKE kinds)
        WHEN total_of(r, time_name) > 0 THEN NULL
        ELSE 0 END
);
COMMENT ON MACRO gpu_count IS 'Total of a metric that counts GPU operations; where nothing was counted, the number of operations of these kinds in the trace; NULL where there is neither, and time was recorded.';

CREATE MACRO busiest_stream(r) AS (
    SELECT profile FROM gpu_operation WHERE run = r GROUP BY profile ORDER BY count(*) DESC, profile LIMIT 1
);
COMMENT ON MACRO busiest_stream IS 'The GPU stream of a run with the most operations.';

CREATE MACRO busiest_device(r) AS (
    SELECT device FROM gpu_stream WHERE run = r AND profile = busiest_stream(r)
);
COMMENT ON MACRO busiest_device IS 'The GPU of a run with the busiest_stream.';

CREATE MACRO iteration_marker(r) AS (
    SELECT any_value(value) FROM setting WHERE run = r AND key = 'workload.iteration_marker'
);
COMMENT ON MACRO iteration_marker IS 'The function that profile.toml names as the begin of an iteration, or NULL.';

CREATE MACRO marked_starts(r) AS TABLE
WITH RECURSIVE below AS (
    SELECT context.id AS context
    FROM context JOIN function ON function.run = context.run AND function.id = context.function
    WHERE context.run = r AND regexp_replace(function.name, ' \[[^\]]*\]$', '') = iteration_marker(r)
    UNION
    SELECT context.id FROM below JOIN context ON context.parent = below.context WHERE context.run = r
)
SELECT start
FROM (
    SELECT gpu_operation.start, gpu_operation.context, below.context IS NOT NULL AS inside,
        coalesce(lag(below.context IS NOT NULL) OVER (ORDER BY gpu_operation.start), false) AS was_inside
    FROM gpu_operation LEFT JOIN below ON below.context = gpu_operation.context
    WHERE gpu_operation.run = r AND gpu_operation.profile = busiest_stream(r)
)
WHERE inside AND NOT was_inside
QUALIFY count(*) OVER (PARTITION BY context) >= 0.1 * count(*) OVER () OR row_number() OVER (ORDER BY start) = 1;
COMMENT ON MACRO TABLE marked_starts IS 'Begins of iterations by the marker function, named without its library: GPU operations below it that follow one that is not. Of a context that begins less than one in ten, as the tool attributes some wrongly, only the first one counts.';

CREATE MACRO repeated_contexts(r) AS TABLE
WITH middle AS (
    SELECT avg(start) AS start FROM gpu_operation WHERE run = r AND profile = busiest_stream(r)
),
seen AS (
    SELECT gpu_operation.context, count(*) AS occurrences, min(gpu_operation.start) AS first,
        min(gpu_operation.start) <= any_value(middle.start) AND max(gpu_operation.start) >= any_value(middle.start) AS throughout
    FROM gpu_operation CROSS JOIN middle
    WHERE gpu_operation.run = r AND gpu_operation.profile = busiest_stream(r)
    GROUP BY gpu_operation.context
),
candidate AS (
    SELECT number.occurrences AS number,
        sum(seen.occurrences) FILTER (WHERE seen.occurrences % number.occurrences = 0) / sum(seen.occurrences) AS covered,
        count(*) FILTER (WHERE seen.throughout AND seen.occurrences = number.occurrences) / count(*) AS contexts
    FROM (SELECT DISTINCT occurrences FROM seen WHERE throughout AND occurrences >= 5) AS number CROSS JOIN seen
    GROUP BY number.occurrences
)
SELECT seen.context, seen.occurrences // iterations.number AS every, seen.first
FROM seen
CROSS JOIN (SELECT min(number) AS number FROM candidate WHERE covered >= 0.9 AND contexts >= 0.05) AS iterations
WHERE seen.throughout AND seen.occurrences % iterations.number = 0;
COMMENT ON MACRO TABLE repeated_contexts IS 'Contexts of GPU operations that run in each iteration, before and after the mean time of all operations: how often in each, and when first. The number of iterations N is the smallest from 5 on such that contexts that occur a multiple of N times hold 90 % of the operations of the busiest stream and one context in twenty occurs exactly N times.';

-- An iteration begins with the first operation that comes back in each. Its context may run more
-- than once per iteration, as when a batch is several copies: then each such occurrence counts as
-- one. Only contexts that begin early can be that.
CREATE MACRO periodic_starts(r) AS TABLE
WITH early AS MATERIALIZED (
    SELECT context, every
    FROM repeated_contexts(r)
    WHERE every <= 100
    QUALIFY row_number() OVER (PARTITION BY every = 1 ORDER BY first, context) <= 40
),
occurrence AS MATERIALIZED (
    SELECT context, start, lead(start) OVER (PARTITION BY context ORDER BY start) - start AS period
    FROM (
        SELECT gpu_operation.context, gpu_operation.start
        FROM gpu_operation JOIN early ON early.context = gpu_operation.context
        WHERE gpu_operation.run = r AND gpu_operation.profile = busiest_stream(r)
        QUALIFY (row_number() OVER (PARTITION BY gpu_operation.context ORDER BY gpu_operation.start) - 1) % early.every = 0
    )
),
anchor AS (
    SELECT context
    FROM occurrence
    GROUP BY context
    HAVING min(period) > 0 AND 1.4826 * mad(period) <= 0.5 * median(period)
    ORDER BY min(start), context
    LIMIT 1
)
SELECT start FROM occurrence WHERE context = (SELECT context FROM anchor);
COMMENT ON MACRO TABLE periodic_starts IS 'Begins of iterations by the periodic structure of GPU operations: the occurrences of the first context that runs in each iteration at regular distances (robust coefficient of variation up to 0.5); of one that runs several times in each, every so many of them.';

CREATE MACRO iteration_starts(r) AS TABLE
SELECT CAST(row_number() OVER (ORDER BY start) AS INTEGER) AS iteration, start,
    (SELECT max(start + duration) FROM gpu_operation WHERE run = r AND profile = busiest_stream(r)) AS last
FROM (
    SELECT start FROM marked_starts(r) WHERE iteration_marker(r) IS NOT NULL
    UNION ALL
    SELECT start FROM periodic_starts(r) WHERE iteration_marker(r) IS NULL
)
QUALIFY count(*) OVER () >= 5;
COMMENT ON MACRO TABLE iteration_starts IS 'Begins of iterations, five at least: by the marker function of profile.toml if there is one, else by periodic structure.';

CREATE VIEW gpu_gap AS
SELECT run, device, start, stop, stop - start AS duration FROM gpu_level WHERE kernels + copies + others = 0;
COMMENT ON VIEW gpu_gap IS 'Gaps: intervals between operations of a GPU in which none runs on any of its streams [ns].';

CREATE MACRO first_operations(r) AS TABLE
WITH begin AS MATERIALIZED (
    SELECT start, iteration FROM iteration_starts(r)
),
bound AS (
    SELECT min(start) AS start, min(start) FILTER (WHERE iteration = 2) AS next FROM begin HAVING count(*) > 0
),
own AS (
    SELECT stream.device, min(ran.start) AS start
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.run = r AND stream.profile = ran.profile
    CROSS JOIN bound
    WHERE ran.run = r AND ran.start < bound.next AND (stream.device <> busiest_device(r) OR ran.start = bound.start)
        AND ran.context IN (
            SELECT context FROM gpu_operation WHERE run = r AND profile = busiest_stream(r) AND start IN (SELECT start FROM begin)
        )
    GROUP BY stream.device
)
SELECT gpu.device, coalesce(own.start, bound.start) AS start
FROM gpu_device AS gpu
CROSS JOIN bound
LEFT JOIN own ON own.device = gpu.device
WHERE gpu.run = r;
COMMENT ON MACRO TABLE first_operations IS 'The first operation of the first iteration on each GPU: on that of the busiest stream its begin (iteration_starts), on another one its first operation in a context that begins iterations there, as no wait for each other brings GPUs together before the first iteration; that of the busiest stream where it has none before the second iteration [ns].';

-- What the first iteration does once, such as loading kernels, comes before its first GPU operation where that is a
-- kernel, and after it where that is a copy: it is warm-up in both.
CREATE MACRO first_iteration_begin(r) AS TABLE
WITH RECURSIVE anchor AS MATERIALIZED (
    SELECT start, lead(start) OVER (ORDER BY start) - start AS length FROM iteration_starts(r)
),
pause AS MATERIALIZED (
    SELECT start, stop FROM gpu_gap WHERE run = r AND device = busiest_device(r) AND stop IN (SELECT start FROM anchor)
),
usual AS MATERIALIZED (
    SELECT CAST(median(coalesce(pause.stop - pause.start, 0)) AS BIGINT) AS pause, CAST(0.5 * median(anchor.length) AS BIGINT) AS half
    FROM anchor LEFT JOIN pause ON pause.stop = anchor.start
    WHERE anchor.start > (SELECT min(start) FROM anchor)
),
first AS MATERIALIZED (
    SELECT gap.device, gap.start, gap.stop, usual.pause, usual.half
    FROM first_operations(r) AS operation
    JOIN gpu_gap AS gap ON gap.run = r AND gap.device = operation.device AND gap.stop = operation.start
    CROSS JOIN usual
    WHERE gap.duration > usual.pause + usual.half
),
held AS MATERIALIZED (
    SELECT first.device, launching.start, launching.context, launching.start < first.start AS early
    FROM launching_interval(r) AS launching
    JOIN fed_gpus(r) AS fed ON fed.profile = launching.profile
    JOIN first ON first.device = fed.device
    WHERE launching.start < first.stop
),
sample AS MATERIALIZED (
    SELECT held.device, held.start, enclosing.frame
    FROM held
    JOIN enclosing_frames(r) AS enclosing ON enclosing.context = held.context
    WHERE NOT held.early
),
known AS (
    SELECT seen.device, enclosing.frame, seen.early
    FROM (
        SELECT DISTINCT first.device, gpu_context.launcher AS context, ran.start < first.stop AS early
        FROM gpu_operation AS ran
        JOIN gpu_stream AS stream ON stream.run = r AND stream.profile = ran.profile
        JOIN first ON first.device = stream.device
        JOIN gpu_context ON gpu_context.run = r AND gpu_context.context = ran.context
        WHERE ran.run = r
        UNION
        SELECT DISTINCT device, context, true FROM held WHERE early
    ) AS seen
    JOIN enclosing_frames(r) AS enclosing ON enclosing.context = seen.context
),
reached AS (
    SELECT DISTINCT device, frame, early FROM known
    UNION
    SELECT reached.device, frame.caller, reached.early FROM reached JOIN frame ON frame.run = r AND frame.frame = reached.frame WHERE frame.caller <> reached.frame
),
body AS MATERIALIZED (
    SELECT device, frame FROM reached GROUP BY device, frame HAVING NOT bool_or(early)
),
above AS (
    SELECT DISTINCT frame AS origin, frame FROM sample
    UNION
    SELECT above.origin, frame.caller FROM above JOIN frame ON frame.run = r AND frame.frame = above.frame WHERE frame.caller <> above.frame
),
inside AS MATERIALIZED (
    SELECT DISTINCT body.device, above.origin AS frame FROM above JOIN body ON body.frame = above.frame
),
begun AS (
    SELECT sample.device, min(sample.start) AS start
    FROM sample
    LEFT JOIN (
        SELECT sample.device, max(sample.start) AS start
        FROM sample
        ANTI JOIN inside ON inside.device = sample.device AND inside.frame = sample.frame
        GROUP BY sample.device
    ) AS elsewhere ON elsewhere.device = sample.device
    WHERE sample.start > coalesce(elsewhere.start, 0)
    GROUP BY sample.device
)
SELECT first.device, begun.start + first.pause AS start
FROM first JOIN begun ON begun.device = first.device
WHERE begun.start + first.pause + first.half < first.stop;
COMMENT ON MACRO TABLE first_iteration_begin IS 'When the first iteration begins on each GPU where that is before its first operation (first_operations): threads that launch for it then already ran calling contexts of iterations, beneath a frame that runs in these and not before, without a break up to that operation and for half an iteration longer than the GPU usually pauses before one. As in others, this usual pause is not in it. No row otherwise [ns].';

CREATE MACRO begins_on_gpus(r, moment) AS TABLE
SELECT gpu.device,
    CASE WHEN own.start IS NOT NULL AND moment = (SELECT min(start) FROM iteration WHERE run = r) THEN own.start ELSE moment END AS start
FROM gpu_device AS gpu
LEFT JOIN first_iteration AS own ON own.run = r AND own.device = gpu.device
WHERE gpu.run = r;
COMMENT ON MACRO TABLE begins_on_gpus IS 'When what begins at a moment begins on each GPU: then, and on each with its own first iteration (first_iteration) what begins with that [ns].';

CREATE MACRO gap_time(r) AS (
    SELECT sum(duration) / gpus(r) FROM gpu_gap WHERE run = r
);
COMMENT ON MACRO gap_time IS 'Time in gaps, the mean over GPUs; NULL without one [ns].';

CREATE MACRO pc_sampled(r) AS EXISTS (SELECT 1 FROM metric WHERE run = r AND is_pc_sample(name));
COMMENT ON MACRO pc_sampled IS 'Whether PC sampling was on: the database lists its metrics, with values or without.';

CREATE MACRO is_short_gap(r, duration) AS duration <= 5e6 AND pc_sampled(r);
COMMENT ON MACRO is_short_gap IS 'Whether PC sampling may have made a gap: it was on, and the gap is no longer than 5 ms.';

CREATE MACRO sampling_gaps(r) AS TABLE
SELECT device, start, stop, duration FROM gpu_gap WHERE run = r AND is_short_gap(r, duration);
COMMENT ON MACRO TABLE sampling_gaps IS 'Gaps that PC sampling may have made, which runs kernels one after another and keeps them apart: those of up to 5 ms where it was on [ns].';

CREATE VIEW gpu_use AS
SELECT run,
    sum(stop - start) / any_value(gpus.number) AS span,
    coalesce(sum(stop - start) FILTER (WHERE kernels + copies + others > 0), 0) / any_value(gpus.number) AS busy,
    coalesce(sum(stop - start) FILTER (WHERE kernels > 0), 0) / any_value(gpus.number) AS kernel_busy,
    coalesce(sum(stop - start) FILTER (WHERE copies > 0), 0) / any_value(gpus.number) AS copy_busy,
    coalesce(sum(stop - start) FILTER (WHERE kernels > 0 AND copies > 0), 0) / any_value(gpus.number) AS overlap,
    sum((stop - start) * (kernels + copies + others)) / any_value(gpus.number) AS work,
    max(kernels + copies + others) AS greatest_level
FROM gpu_level
JOIN (SELECT run, count(DISTINCT device) AS number FROM gpu_stream GROUP BY run) AS gpus USING (run)
GROUP BY run;
COMMENT ON VIEW gpu_use IS 'How long any operation, a kernel, a copy, or a copy and a kernel at once ran on a GPU, over its streams; work is the sum over operations. All the mean over GPUs, but for the greatest level, which is of any [ns].';

CREATE MACRO steady_iterations(r) AS TABLE
SELECT iteration, start, stop - start AS duration, gpu_busy, longest_gap
FROM iteration
WHERE run = r AND mark NOT IN ('warm-up', 'incomplete');
COMMENT ON MACRO TABLE steady_iterations IS 'Iterations that statistics are made of: complete ones that are no warm-up [ns].';

CREATE MACRO steady_bounds(r) AS TABLE
SELECT min(start) AS start, max(start + duration) AS stop, count(*) AS iterations FROM steady_iterations(r);
COMMENT ON MACRO TABLE steady_bounds IS 'From the first to the last of the steady iterations, and their number; one row, whose times are NULL where there are none [ns].';

CREATE MACRO contexts_outside_iterations(r) AS TABLE
SELECT operation.context
FROM gpu_operation AS operation
JOIN gpu_stream AS stream ON stream.run = r AND stream.profile = operation.profile
JOIN first_iteration AS first ON first.run = r AND first.device = stream.device
CROSS JOIN (SELECT coalesce(max(stop) FILTER (WHERE mark <> 'incomplete'), max(stop)) AS stop FROM iteration WHERE run = r) AS span
WHERE operation.run = r
GROUP BY operation.context
HAVING NOT bool_or(operation.start + operation.duration > first.start AND operation.start < span.stop);
COMMENT ON MACRO TABLE contexts_outside_iterations IS 'Calling contexts of GPU operations of which none runs between the begin of the first iteration on its GPU and the end of the last complete one; no row for a run without iterations.';

CREATE MACRO computes_no_product(name) AS
    regexp_matches(lower(name), '(at::native|at_cuda_detail|cub::|thrust::|elementwise|reduce_kernel|embedding|indexing|triton_(poi|red|per)_)');
COMMENT ON MACRO computes_no_product IS 'Whether a kernel multiplies no matrices, by its name: element-wise, a reduction, a sort or an access by index. Any other may.';

CREATE MACRO unrecorded_products(r) AS TABLE
WITH needed AS (
    SELECT CAST(setting.value AS DOUBLE) / device_peak.peak * 1e9 AS "time", device_peak.precision,
        greatest(hardware.fp64_flops, hardware.fp64_tensor_flops, hardware.fp32_flops, hardware.tf32_flops, hardware.fp16_flops, hardware.fp8_flops)
            / device_peak.peak AS fastest
    FROM setting
    CROSS JOIN device_peak(r) AS device_peak
    JOIN run ON run.run = setting.run
    JOIN hardware ON hardware.name = run.hardware
    WHERE setting.run = r AND setting.key = 'model_flops_per_iteration' AND device_peak.peak > 0
), product AS (
    SELECT kernel.context, CASE
        WHEN kernel_kind(kernel.name) <> 'library product' THEN needed.fastest
        WHEN needed.precision IN ('FP32', 'FP64')
            AND NOT regexp_matches(lower(kernel.name), '(tf32|f16|half|e4m3|e5m2|f(p)?8|s1688|s16816|tensorop|gmma|flash_|fmha|cudnn|cijk_|winograd|fft)') THEN 1.0
        WHEN needed.precision IN ('FP16', 'BF16')
            AND NOT regexp_matches(lower(kernel.name), '(e4m3|e5m2|f(p)?8|cijk_|winograd|fft)') THEN 1.0
        ELSE needed.fastest
        END AS rate
    FROM context_name AS kernel CROSS JOIN needed
    WHERE kernel.run = r
        AND kernel.context IN (SELECT context FROM gpu_context WHERE run = r AND operation = 'kernel')
        AND (kernel_kind(kernel.name) = 'library product' OR NOT computes_no_product(kernel.name))
), ran AS (
    SELECT iteration.iteration, sum(operation.duration * product.rate) AS "time"
    FROM (SELECT start, duration, context FROM gpu_operation WHERE run = r) AS operation
    JOIN product ON product.context = operation.context
    ASOF JOIN steady_iterations(r) AS iteration ON operation.start >= iteration.start
    WHERE operation.start < iteration.start + iteration.duration
    GROUP BY iteration.iteration
)
SELECT iteration.iteration, iteration.gpu_busy,
    coalesce(greatest(needed."time" - coalesce(ran."time", 0), 0) / gpus.number, 0) AS missing
FROM steady_iterations(r) AS iteration
LEFT JOIN needed ON true
LEFT JOIN ran ON ran.iteration = iteration.iteration
CROSS JOIN (SELECT greatest(count(DISTINCT device), 1) AS number FROM gpu_stream WHERE run = r) AS gpus;
COMMENT ON MACRO TABLE unrecorded_products IS 'Steady iterations: the time in which GPU operations ran, and how much longer the operations of the model take at the device''s peak than all recorded kernels ran that may compute them, which is the least that is missing from the record; both per GPU [ns]. Kernels whose names do not exclude faster units, or an algorithm with fewer operations, count at the device''s highest peak.';

CREATE MACRO missing_kernels(r) AS TABLE
SELECT 'unseen_products' AS sign WHERE EXISTS (FROM unseen_product WHERE run = r)
UNION ALL
SELECT 'missing_products' FROM unrecorded_products(r)
WHERE r NOT IN (SELECT run FROM hidden_graph)
HAVING median(missing) > 0;
COMMENT ON MACRO TABLE missing_kernels IS 'Signs that a run recorded some of its kernels only, in the words that needs.toml hides by: unseen_products (threads were sampled in calls of cuBLAS without a kernel), missing_products (the recorded kernels cannot have done the operations of the model). A run whose graphs are hidden has a reason of its own.';

CREATE MACRO steady_span(r) AS TABLE
SELECT coalesce(steady.start, gpu_span.start) AS start, coalesce(steady.stop, gpu_span.stop) AS stop
FROM gpu_span
CROSS JOIN steady_bounds(r) AS steady
WHERE gpu_span.run = r;
COMMENT ON MACRO TABLE steady_span IS 'What idle times are judged by: from the first to the last of the steady iterations, or the GPU span of a run without any [ns].';

CREATE MACRO steady_gaps(r) AS TABLE
SELECT gap.device, greatest(gap.start, begin.start) AS start, least(gap.stop, span.stop) AS stop,
    least(gap.stop, span.stop) - greatest(gap.start, begin.start) AS duration
FROM gpu_gap AS gap
JOIN begins_on_gpus(r, (SELECT start FROM steady_span(r))) AS begin ON begin.device = gap.device AND gap.stop > begin.start
JOIN steady_span(r) AS span ON gap.start < span.stop
WHERE gap.run = r;
COMMENT ON MACRO TABLE steady_gaps IS 'Gaps of each GPU as far as they lie in steady_span [ns].';

CREATE MACRO idle_periods(r) AS TABLE
SELECT CAST(NULL AS BIGINT) AS start, CASE WHEN EXISTS (FROM iteration WHERE run = r) THEN 'start-up' ELSE 'between' END AS period
UNION ALL
SELECT start, CASE mark WHEN '' THEN 'steady' WHEN 'incomplete' THEN 'last' ELSE mark END FROM iteration WHERE run = r
UNION ALL
SELECT max(stop), 'end' FROM iteration WHERE run = r HAVING count(*) > 0;
COMMENT ON MACRO TABLE idle_periods IS 'What a gap belongs to that begins from a moment on [ns], the first one without a begin: start-up, each iteration by its mark (warm-up, steady, outlier, last), the end; all is between in a run without iterations.';

CREATE MACRO long_waits(r) AS TABLE
SELECT gap.device, arg_max(gap.start, {'length': gap.duration, 'first': -gap.start}) AS start
FROM gpu_gap AS gap
ASOF JOIN (
    FROM steady_iterations(r)
    QUALIFY median(longest_gap) OVER () > 5e6 AND median(longest_gap) OVER () > 0.2 * median(duration) OVER ()
) AS steady ON gap.start >= steady.start
WHERE gap.run = r AND gap.start < steady.start + steady.duration
GROUP BY gap.device, steady.iteration;
COMMENT ON MACRO TABLE long_waits IS 'The longest gap of each GPU in each steady iteration, by its begin, where that is a wait of its own: more than 5 ms and a fifth of the iteration, by the medians [ns].';

CREATE MACRO idle_pieces(r) AS TABLE
WITH bound AS (
    SELECT gpu.device, whole.first AS mean, first.start AS first, greatest(warm.start, first.start) AS warm, whole.last
    FROM gpu_device AS gpu
    CROSS JOIN (SELECT min(start) AS first, coalesce(min(start) FILTER (WHERE mark <> 'warm-up'), max(stop)) AS warm, max(stop) AS last FROM iteration WHERE run = r) AS whole
    LEFT JOIN begins_on_gpus(r, (SELECT min(start) FROM iteration WHERE run = r)) AS first ON first.device = gpu.device
    LEFT JOIN begins_on_gpus(r, (SELECT coalesce(min(start) FILTER (WHERE mark <> 'warm-up'), max(stop)) FROM iteration WHERE run = r)) AS warm ON warm.device = gpu.device
    WHERE gpu.run = r
),
phase AS (
    SELECT device, unnest([
        {'start': -9223372036854775807, 'stop': first, 'least': NULL, 'before': true, 'after': false},
        {'start': first, 'stop': warm, 'least': mean, 'before': false, 'after': false},
        {'start': warm, 'stop': last, 'least': mean, 'before': false, 'after': false},
        {'start': coalesce(last, -9223372036854775807), 'stop': 9223372036854775807, 'least': last, 'before': last IS NULL, 'after': true}
    ], recursive := true)
    FROM bound
)
SELECT idle.device,
    CASE WHEN idle.period = 'before' AND phase.before OR idle.period = 'after' AND phase.after THEN idle.period ELSE 'between' END AS place,
    idle.period = 'between' AND is_short_gap(r, idle.stop - idle.start) AS short,
    greatest(idle.start, phase.start) AS start, least(idle.stop, phase.stop) AS stop,
    CASE WHEN phase.least IS NOT NULL THEN greatest(idle.start, phase.start, phase.least) END AS counts
FROM (FROM gpu_idle WHERE run = r) AS idle
JOIN phase ON phase.device = idle.device AND idle.start < phase.stop AND idle.stop > phase.start;
COMMENT ON MACRO TABLE idle_pieces IS 'Times without any operation on a GPU, cut where its first iteration begins, the warm-up ends and the last iteration ends: of several GPUs another one may then be idle. place is as in gpu_idle; of a run with iterations, before ends with the first one''s begin, and after begins with the last one''s end. short tells whether PC sampling may have made it. counts is the moment by which idle_periods tell what it belongs to: its begin, or that of the first iteration where it is in this and before the mean over GPUs of its begin; NULL before it, and in a run without iterations [ns].';

CREATE MACRO idle_gaps(r) AS TABLE
SELECT idle.device, idle.start, idle.stop, idle.stop - idle.start AS duration,
    CASE idle.place WHEN 'before' THEN 'before' WHEN 'after' THEN 'end' ELSE coalesce(later.period, first.period) END AS period,
    CASE WHEN idle.short THEN 'short' WHEN long_wait.start IS NOT NULL THEN 'wait' ELSE 'other' END AS gap,
    idle.place = 'between' AS inside
FROM idle_pieces(r) AS idle
CROSS JOIN (SELECT period FROM idle_periods(r) WHERE start IS NULL) AS first
ASOF LEFT JOIN (FROM idle_periods(r) WHERE start IS NOT NULL) AS later ON later.start <= idle.counts
LEFT JOIN long_waits(r) AS long_wait ON long_wait.device = idle.device AND long_wait.start = idle.start;
COMMENT ON MACRO TABLE idle_gaps IS 'Times without any operation on a GPU, each moment once: see idle_pieces. With when it begins (before the first operation, or idle_periods), and whether it is short (PC sampling may have made it), the long wait of its iteration, or other; inside tells whether it lies between operations, as all does of which blame is [ns].';

CREATE MACRO alone_within(r, first, last) AS TABLE
SELECT coalesce(sum(part) FILTER (WHERE kernels = 0), 0) / gpus(r) AS copy, coalesce(sum(part) FILTER (WHERE copies = 0), 0) / gpus(r) AS kernel
FROM (
    SELECT level.kernels, level.copies, least(level.stop, last) - greatest(level.start, begin.start) AS part
    FROM gpu_level AS level
    JOIN begins_on_gpus(r, first) AS begin ON begin.device = level.device
    WHERE level.run = r AND (level.kernels > 0) <> (level.copies > 0) AND level.start < last AND level.stop > begin.start
);
COMMENT ON MACRO TABLE alone_within IS 'How long copies ran on a GPU beside no kernel, and kernels beside no copy, between two moments, the first one as of begins_on_gpus, the mean over GPUs [ns].';

-- A copy that still runs when a kernel starts does not hold that kernel up. Where kernels run in one stream only, so
-- that they start in order, kernels can have waited for a copy from the end of the last kernel before its end.
CREATE MACRO copy_waits(r) AS TABLE
WITH lane AS MATERIALIZED (
    SELECT stream.device, stream.profile, kernels.profile IS NOT NULL AS computes,
        count(kernels.profile) OVER (PARTITION BY stream.device) = 1 AS ordered
    FROM gpu_stream AS stream
    LEFT JOIN (SELECT DISTINCT profile FROM gpu_operation WHERE run = r AND operation = 'kernel') AS kernels ON kernels.profile = stream.profile
    WHERE stream.run = r
),
copy AS (
    SELECT lane.device, NOT lane.computes AS apart, ran.start + ran.duration AS stop, greatest(ran.start, coalesce(kernel.stop, ran.start)) AS start
    FROM gpu_operation AS ran
    JOIN lane ON lane.profile = ran.profile AND lane.ordered
    ASOF LEFT JOIN (SELECT device, start, stop FROM gpu_level WHERE run = r AND kernels > 0) AS kernel
        ON kernel.device = lane.device AND kernel.start < ran.start + ran.duration
    WHERE ran.run = r AND ran.operation LIKE 'copy%'
    UNION ALL
    SELECT device, false, stop, start
    FROM gpu_level
    WHERE run = r AND copies > 0 AND kernels = 0 AND device NOT IN (SELECT device FROM lane WHERE ordered)
),
piece AS (
    SELECT device, apart, stop,
        greatest(start, coalesce(max(stop) OVER (PARTITION BY device ORDER BY start, stop, apart ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), start)) AS start
    FROM copy
    WHERE stop > start
),
freed AS (
    SELECT piece.device, piece.apart, piece.start, piece.stop,
        CASE WHEN gap.stop - gap.start <= 5e4 THEN gap.stop ELSE piece.stop END AS free
    FROM piece
    LEFT JOIN gpu_gap AS gap ON gap.run = r AND gap.device = piece.device AND gap.start = piece.stop
    WHERE piece.stop > piece.start
)
SELECT freed.device, freed.apart, freed.start, freed.stop, freed.free,
    CASE WHEN gap.stop - gap.start <= 1e5 AND coalesce(lag(freed.free) OVER (PARTITION BY freed.device ORDER BY freed.start), 0) < freed.start
        THEN gap.start ELSE freed.start END AS ready
FROM freed
LEFT JOIN gpu_gap AS gap ON gap.run = r AND gap.device = freed.device AND gap.stop = freed.start;
COMMENT ON MACRO TABLE copy_waits IS 'Times in which a copy runs on a GPU and the next kernel may wait for it: since no kernel starts before the copy ends. Each moment once; where kernels of a GPU do not all run in one stream, all time with a copy and no kernel. apart tells whether kernels run in one stream and the copy in another; free is the end of the gap right after it, of up to 50 us, and ready the begin of the gap right before it, of up to 100 us, unless that is the gap after another copy [ns].';

CREATE MACRO copy_waits_within(r, first, last) AS TABLE
SELECT coalesce(sum(greatest(0, least(wait.stop, last) - greatest(wait.start, begin.start))), 0) / gpus(r) AS copy,
    coalesce(sum(greatest(0, least(wait.free, last) - greatest(wait.stop, begin.start))), 0) / gpus(r) AS gap,
    coalesce(sum(wait.free - wait.stop) FILTER (WHERE wait.free - wait.stop < pow(10, 4.5) AND wait.stop >= begin.start AND wait.free <= last), 0) / gpus(r) AS brief,
    coalesce(sum(greatest(0, least(wait.start, last) - greatest(wait.ready, begin.start))), 0) / gpus(r) AS lead,
    coalesce(sum(wait.start - wait.ready) FILTER (WHERE wait.start - wait.ready < pow(10, 4.5) AND wait.ready >= begin.start AND wait.start <= last), 0) / gpus(r) AS brief_lead,
    coalesce(sum(greatest(0, least(wait.stop, last) - greatest(wait.start, begin.start))) FILTER (WHERE wait.apart), 0) / gpus(r) AS apart
FROM copy_waits(r) AS wait
JOIN begins_on_gpus(r, first) AS begin ON begin.device = wait.device
WHERE wait.ready < last AND wait.free > begin.start;
COMMENT ON MACRO TABLE copy_waits_within IS 'Sums of copy_waits between two moments, the first one as of begins_on_gpus, the mean over GPUs: the copies, the gaps right after them and right before them, those of less than 32 us among each, and the copies in streams without kernels [ns].';

CREATE MACRO run_phases(r) AS TABLE
WITH core AS (
    SELECT coalesce(min(iteration.start), any_value(gpu_span.start)) AS first,
        CASE WHEN count(iteration.start) > 0 THEN coalesce(min(iteration.start) FILTER (WHERE iteration.mark <> 'warm-up'), max(iteration.stop))
            ELSE any_value(gpu_span.start) END AS warm,
        coalesce(max(iteration.stop), any_value(gpu_span.stop)) AS last
    FROM gpu_span LEFT JOIN iteration ON iteration.run = gpu_span.run
    WHERE gpu_span.run = r
)
SELECT phase, start, stop, stop - start AS duration
FROM (
    SELECT unnest([
        {'phase': 'start-up', 'start': traced_span.start, 'stop': core.first},
        {'phase': 'warm-up', 'start': core.first, 'stop': core.warm},
        {'phase': 'steady state', 'start': core.warm, 'stop': core.last},
        {'phase': 'tail', 'start': core.last, 'stop': traced_span.stop}
    ], recursive := true)
    FROM core JOIN traced_span ON traced_span.run = r
)
WHERE stop > start;
COMMENT ON MACRO TABLE run_phases IS 'Start-up, warm-up, steady state and tail of a run, without those of no length; together they are the traced span. What begins or ends with the first iteration does so at the mean over GPUs of its begin [ns].';

CREATE MACRO gpu_phases(r) AS TABLE
SELECT phase.phase, gpu.device,
    CASE WHEN phase.start = first.start THEN gpu.start ELSE phase.start END AS start,
    CASE WHEN phase.stop = first.start THEN gpu.start ELSE phase.stop END AS stop
FROM run_phases(r) AS phase
CROSS JOIN (SELECT coalesce((SELECT min(start) FROM iteration WHERE run = r), (SELECT start FROM gpu_span WHERE run = r)) AS start) AS first
CROSS JOIN begins_on_gpus(r, first.start) AS gpu;
COMMENT ON MACRO TABLE gpu_phases IS 'When run_phases begin and end on each GPU: with its own first iteration those that do so with the first one [ns].';

CREATE MACRO equal_bins(first, last, number) AS TABLE
SELECT CAST(bin AS INTEGER) AS bin,
    first + CAST((last - first)::HUGEINT * bin // number AS BIGINT) AS start,
    first + CAST((last - first)::HUGEINT * (bin + 1) // number AS BIGINT) AS stop
FROM range(number) AS bins(bin)
WHERE last - first >= number;
COMMENT ON MACRO TABLE equal_bins IS 'Equal parts of a time, in order from 0; none of a time of fewer nanoseconds than parts.';

CREATE MACRO run_bins(r, number) AS TABLE
FROM equal_bins((SELECT start FROM traced_span WHERE run = r), (SELECT stop FROM traced_span WHERE run = r), number);
COMMENT ON MACRO TABLE run_bins IS 'Equal parts of the traced span of a run [ns].';

-- In 128 bits only where 64 are too few (of 1,200 parts, for times of 89 days): they take twelve times as long.
CREATE MACRO bin_of(distance, whole, number) AS
    CASE WHEN whole < 9223372036854775807 // number THEN ((distance + 1) * number - 1) // whole
        ELSE CAST((CAST(distance + 1 AS HUGEINT) * number - 1) // whole AS BIGINT) END;
COMMENT ON MACRO bin_of IS 'The part among equal_bins in which a time lies, by its distance from the first one.';

CREATE MACRO gpu_bins(r, number, whole) AS TABLE
WITH bounds AS (
    SELECT CASE whole WHEN 'run' THEN traced_span.start ELSE steady.start END AS start,
        CASE whole WHEN 'run' THEN traced_span.stop ELSE steady.stop END AS stop
    FROM traced_span CROSS JOIN steady_span(r) AS steady
    WHERE traced_span.run = r
),
slot AS MATERIALIZED (
    FROM equal_bins((SELECT start FROM bounds), (SELECT stop FROM bounds), number)
),
part AS (
    SELECT level.start, level.stop, level.kernels > 0 AS kernel, level.copies > 0 AS copy,
        bin_of(level.start - bounds.start, bounds.stop - bounds.start, number) AS first_bin,
        bin_of(level.stop - 1 - bounds.start, bounds.stop - bounds.start, number) AS last_bin
    FROM (
        SELECT greatest(level.start, bounds.start) AS start, least(level.stop, bounds.stop) AS stop, kernels, copies
        FROM gpu_level AS level CROSS JOIN bounds
        WHERE level.run = r AND level.kernels + level.copies + level.others > 0 AND level.start < bounds.stop AND level.stop > bounds.start
    ) AS level
    CROSS JOIN bounds
    WHERE bounds.stop - bounds.start >= number
),
used AS (
    SELECT first_bin AS bin, kernel, copy, sum(stop - start) AS amount
    FROM part
    WHERE first_bin = last_bin
    GROUP BY ALL
    UNION ALL
    SELECT slot.bin, part.kernel, part.copy, sum(least(part.stop, slot.stop) - greatest(part.start, slot.start))
    FROM (SELECT *, unnest(range(first_bin, last_bin + 1)) AS bin FROM part WHERE first_bin < last_bin) AS part
    JOIN slot ON slot.bin = part.bin
    GROUP BY ALL
)
SELECT slot.bin, slot.start, slot.stop,
    coalesce(sum(used.amount), 0) / gpus(r) AS busy,
    coalesce(sum(used.amount) FILTER (WHERE used.kernel), 0) / gpus(r) AS kernel,
    coalesce(sum(used.amount) FILTER (WHERE used.copy), 0) / gpus(r) AS copy
FROM slot
LEFT JOIN used ON used.bin = slot.bin
GROUP BY slot.bin, slot.start, slot.stop;
COMMENT ON MACRO TABLE gpu_bins IS 'How long any operation, a kernel and a copy ran on a GPU, the mean over GPUs, in equal parts of the run (whole is run) or of steady_span (whole is steady) [ns].';

CREATE MACRO trace_line_busy(r) AS TABLE
SELECT trace_line.profile, trace_line.kind, CAST(coalesce(spent.busy, 0) AS BIGINT) AS busy
FROM trace_line
LEFT JOIN (
    SELECT profile, sum(duration) AS busy FROM gpu_operation WHERE run = r GROUP BY profile
    UNION ALL
    SELECT profile, sum(duration) FROM cpu_time WHERE run = r GROUP BY profile
) AS spent ON spent.profile = trace_line.profile
WHERE trace_line.run = r;
COMMENT ON MACRO TABLE trace_line_busy IS 'How long each trace line was busy: operations of a GPU stream, running time of a CPU thread [ns].';

CREATE MACRO thread_running(r) AS TABLE
SELECT line.profile, CAST(least(
    greatest(coalesce(spent.busy, 0), CASE WHEN line.clock = 'running' THEN coalesce(recorded.value, 0) * 1e9 ELSE 0 END),
    greatest(span.stop - span.start, coalesce(spent.busy, 0))
) AS BIGINT) AS running
FROM trace_line AS line
JOIN cpu_trace_span AS span ON span.run = r
LEFT JOIN (SELECT profile, sum(duration) AS busy FROM cpu_time WHERE run = r GROUP BY profile) AS spent ON spent.profile = line.profile
LEFT JOIN profile_total AS recorded
    ON recorded.run = r AND recorded.profile = line.profile AND recorded.name = 'CPUTIME (sec)'
WHERE line.run = r AND line.kind = 'CPU thread';
COMMENT ON MACRO TABLE thread_running IS 'How long each CPU thread ran: its CPU time where it was sampled by that and the profile tells it, as the trace may lack samples, but no longer than the run; else by the trace [ns].';

CREATE MACRO samples_tell_running(r) AS
    coalesce((
        SELECT sum(coalesce(idle.clocked, idle.duration)) < 0.05 * any_value(span.stop - span.start)
        FROM idle_time AS idle JOIN cpu_trace_span AS span ON span.run = r
        WHERE idle.run = r
    ), true) AND coalesce((
        SELECT sum(greatest(dropped, 0)) < sum(running)
        FROM (SELECT sum(dropped) AS dropped, sum(running) AS running FROM main_stretch WHERE run = r GROUP BY part)
    ), true);
COMMENT ON MACRO samples_tell_running IS 'Whether samples of CPU time tell how long threads ran: not where they may have run for a twentieth of the run or more in which no sample shows one running: the part in which CPU clocks ran where that is told (idle_time.clocked), else all of it; nor where those of main threads ran for longer without a sample than with (main_stretch.dropped).';

CREATE MACRO line_bins(r, number) AS TABLE
WITH bounds AS (
    SELECT start, stop FROM traced_span WHERE run = r AND stop - start >= number
),
slot AS MATERIALIZED (
    FROM run_bins(r, number)
),
part AS (
    SELECT activity.*,
        bin_of(activity.start - bounds.start, bounds.stop - bounds.start, number) AS first_bin,
        bin_of(activity.stop - 1 - bounds.start, bounds.stop - bounds.start, number) AS last_bin
    FROM (
        SELECT profile, start, start + duration AS stop FROM gpu_operation WHERE run = r AND duration > 0
        UNION ALL
        SELECT profile, start, stop FROM cpu_interval(r)
    ) AS activity
    CROSS JOIN bounds
)
SELECT used.profile, trace_line.kind, CAST(used.bin AS INTEGER) AS bin, CAST(sum(used.amount) AS BIGINT) AS busy
FROM (
    SELECT profile, first_bin AS bin, sum(stop - start) AS amount
    FROM part
    WHERE first_bin = last_bin
    GROUP BY ALL
    UNION ALL
    SELECT part.profile, slot.bin, sum(least(part.stop, slot.stop) - greatest(part.start, slot.start))
    FROM (SELECT *, unnest(range(first_bin, last_bin + 1)) AS bin FROM part WHERE first_bin < last_bin) AS part
    JOIN slot ON slot.bin = part.bin
    GROUP BY ALL
) AS used
JOIN trace_line ON trace_line.run = r AND trace_line.profile = used.profile
GROUP BY used.profile, trace_line.kind, used.bin;
COMMENT ON MACRO TABLE line_bins IS 'How long each trace line was busy in equal parts of the run; parts without a row were idle [ns].';

CREATE MACRO gpu_label(r, of_profile) AS (
    SELECT coalesce('rank ' || profile.rank || ' ', '') || 'GPU'
        || CASE WHEN (SELECT count(DISTINCT (one.node, one.rank, one.gpu_context)) > count(DISTINCT (one.node, one.rank)) FROM profile AS one WHERE one.run = r AND one.kind = 'GPU stream')
            THEN coalesce(' context ' || profile.gpu_context, '') ELSE '' END
    FROM profile
    WHERE profile.run = r AND profile."index" = of_profile
);
COMMENT ON MACRO gpu_label IS 'The GPU of a GPU stream in words: its rank and, where a process of the run has several, HPCToolkit''s number of its GPU context, which is no number of a device.';

CREATE MACRO line_label(r, of_profile) AS (
    SELECT CASE trace_line.kind
            WHEN 'GPU stream' THEN gpu_label(r, trace_line.profile) || coalesce(' stream ' || profile.gpu_stream, ' stream (' || profile.identifier_tuple || ')')
            ELSE coalesce('rank ' || profile.rank || ' ', '') || coalesce('thread ' || profile.thread, 'thread (' || profile.identifier_tuple || ')')
        END
    FROM trace_line JOIN profile ON profile.run = trace_line.run AND profile."index" = trace_line.profile
    WHERE trace_line.run = r AND trace_line.profile = of_profile
);
COMMENT ON MACRO line_label IS 'A trace line in words: its rank, and its thread or GPU stream (see gpu_label).';

CREATE MACRO operation_name(r, ran) AS (
    SELECT words FROM gpu_context WHERE run = r AND context = ran
);
COMMENT ON MACRO operation_name IS 'A GPU operation in words: the short name of its kernel, or its kind.';

CREATE MACRO path_frames(r, targets) AS TABLE
WITH RECURSIVE frame AS MATERIALIZED (
    SELECT frame, caller, key, name, lexical_type, python
    FROM frames(r)
),
path AS (
    SELECT frame AS target, 0 AS step, * FROM frame WHERE frame IN (SELECT unnest(targets))
    UNION ALL
    SELECT path.target, path.step + 1, frame.* FROM path JOIN frame ON frame.frame = path.caller
)
FROM path;
COMMENT ON MACRO TABLE path_frames IS 'The frames of the calling paths of given frames, from the frame itself (step 0) outwards.';

CREATE MACRO functions_on_paths(r, costs) AS TABLE
WITH spent AS MATERIALIZED (
    SELECT unnest(costs, recursive := true)
),
reached AS (
    SELECT target, key, bool_or(rank = 1) AS own, min(frame) AS frame
    FROM (
        SELECT target, key, frame, row_number() OVER (PARTITION BY target ORDER BY python DESC, step) AS rank
        FROM path_frames(r, (SELECT list(frame) FROM spent))
        WHERE lexical_type <> 'entry' OR step = 0
    )
    GROUP BY target, key
),
by_function AS (
    SELECT reached.key, min(reached.frame) AS frame, sum(spent.spent) AS inclusive,
        coalesce(sum(spent.spent) FILTER (WHERE reached.own), 0) AS exclusive
    FROM reached JOIN spent ON spent.frame = reached.target
    GROUP BY reached.key
)
SELECT by_function.key, frames.name, frames.lexical_type,
    source_path(coalesce(file.path, frames.called_file)) AS file, CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line,
    by_function.inclusive, by_function.exclusive
FROM by_function
JOIN frames(r) AS frames ON frames.frame = by_function.frame
LEFT JOIN function AS defined ON defined.run = r AND defined.id = frames.function
LEFT JOIN file ON file.run = r AND file.id = defined.file;
COMMENT ON MACRO TABLE functions_on_paths IS 'Costs (a list of frame and spent) by function: inclusive once for each function on the calling path (entry points are none), exclusive for the innermost Python function, or the innermost function where there is none.';

-- Start-up is longer than most iterations, and another program: what it does says nothing of what recurs.
-- A gap shorter than the period of samples has a sample now and then, which stands for all gaps of like length: a few
-- samples would put tens of milliseconds on whatever function they hit.
CREATE MACRO blame_of(r, part) AS TABLE
SELECT *
FROM blame
WHERE run = r AND period <> 'before' AND (part = 'run' OR steady OR NOT EXISTS (FROM steady_iterations(r)))
QUALIFY NOT coalesce(octave < floor(log2(launch_period(r))), false)
    OR sum(samples) FILTER (WHERE octave < floor(log2(launch_period(r)))) OVER () >= 20;
COMMENT ON MACRO TABLE blame_of IS 'Blame for idle time between GPU operations: of steady iterations where there are any (part is steady), or of the whole run (part is run). Gaps shorter than the period of samples are blamed on nobody unless 20 samples were taken in them.';

CREATE MACRO idle_of(r, part) AS (
    SELECT sum(duration) / gpus(r)
    FROM idle_total
    WHERE run = r AND inside AND (part = 'run' OR period IN ('steady', 'outlier') OR NOT EXISTS (FROM steady_iterations(r)))
);
COMMENT ON MACRO idle_of IS 'The idle time that blame_of shares out, sampled or not: of gaps that begin in steady iterations, or of all between GPU operations, the mean over GPUs; NULL without any [ns].';

CREATE MACRO blamed_functions(r) AS TABLE
FROM functions_on_paths(r, (
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, sum(blame.duration) AS spent
        FROM blame_of(r, 'steady') AS blame JOIN enclosing_frames(r) AS enclosing ON enclosing.context = blame.context
        GROUP BY enclosing.frame
    )
));
COMMENT ON MACRO TABLE blamed_functions IS 'Idle time of the GPU by function, of the part of the run that blame is of: see blame_of and functions_on_paths [ns].';

CREATE MACRO traced_functions(r) AS TABLE
FROM functions_on_paths(r, (
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, CAST(sum(cpu_time.duration) AS DOUBLE) AS spent
        FROM cpu_time JOIN enclosing_frames(r) AS enclosing ON enclosing.context = cpu_time.context
        WHERE cpu_time.run = r
        GROUP BY enclosing.frame
    )
));
COMMENT ON MACRO TABLE traced_functions IS 'Running time of CPU threads by function, from the trace: see functions_on_paths [ns].';

-- Samples are taken at moments that know nothing of the program's, so how many of n fall into a part of
-- the idle time is binomial. Where they stand for unequal times, n is less (Kish, Survey Sampling, 1965, 11.2C).
CREATE MACRO blame_samples(duration, square) AS duration * duration / nullif(square, 0);
COMMENT ON MACRO blame_samples IS 'How many samples a share of the blame rests on: those taken in gaps, less where they stand for unequal times. From sums over table blame.';

CREATE MACRO blame_low(share, n) AS coalesce(binomial_low(share * n, n), 0.0);
COMMENT ON MACRO blame_low IS 'Lower bound of the 95 % interval of a part of the blame, from its share of the time and blame_samples; 0 without samples [ratio]';

CREATE MACRO blame_high(share, n) AS coalesce(binomial_high(share * n, n), 1.0);
COMMENT ON MACRO blame_high IS 'Upper bound of the 95 % interval of a part of the blame: see blame_low; 1 without samples [ratio]';

CREATE MACRO sampled_functions(r, gaps) AS TABLE
WITH gap AS MATERIALIZED (
    SELECT one.*, idle.period, idle.gap,
        CASE WHEN one.stop - one.start < 10 * launch_period(r) THEN greatest(floor(log2(one.stop - one.start)), 9) END AS octave
    FROM (SELECT unnest(gaps, recursive := true)) AS one
    JOIN idle_gaps(r) AS idle ON idle.device = one.device AND idle.start = one.start
),
taken AS (
    SELECT gap.number, held.context, 0 AS square,
        sum(greatest(least(held.stands, held.taken - gap.start) / launch_period(r), 1) + greatest(least(held.taken, gap.stop) - greatest(held.start, gap.start), 0) / launch_period(r)) AS spent
    FROM launching_samples(r) AS held
    JOIN gap ON gap.octave IS NULL AND gap.device = held.device AND held.start < gap.stop AND held.taken >= gap.start
    GROUP BY gap.number, held.context
    UNION ALL
    SELECT gap.number, blame.context, blame.square, blame.duration
    FROM gap JOIN blame ON blame.run = r AND blame.period = gap.period AND blame.gap = gap.gap AND blame.octave = gap.octave
),
spent AS MATERIALIZED (
    SELECT taken.number, enclosing.frame, sum(taken.spent) AS spent, sum(taken.square) AS square
    FROM taken JOIN enclosing_frames(r) AS enclosing ON enclosing.context = taken.context
    GROUP BY taken.number, enclosing.frame
),
told AS MATERIALIZED (
    SELECT target, name, min(step) AS step, bool_or(python) AS python
    FROM path_frames(r, (SELECT list(DISTINCT frame) FROM spent))
    WHERE python OR step = 0
    GROUP BY target, name
),
whole AS (
    SELECT number, sum(spent) AS whole, sum(square) AS square FROM spent GROUP BY number
),
most AS (
    SELECT spent.number, told.name, sum(spent.spent) AS part, any_value(whole.whole) AS whole, any_value(whole.square) AS square
    FROM spent
    JOIN told ON told.target = spent.frame
    JOIN whole ON whole.number = spent.number
    GROUP BY spent.number, told.name
    HAVING sum(spent.spent) >= 0.55 * any_value(whole.whole)
    QUALIFY row_number() OVER (PARTITION BY spent.number ORDER BY bool_or(told.python) DESC, sum(spent.spent), avg(told.step), told.name) = 1
)
SELECT number, name
FROM most
WHERE square = 0 OR blame_low(part / whole, blame_samples(whole, square)) > 0.5;
COMMENT ON MACRO TABLE sampled_functions IS 'For each of some gaps (number, device, start, stop) the innermost function in which, or in what it calls, threads that feed the GPU were sampled for plainly more than half of it (55 %): of Python, or the innermost function of a path without Python. Of a gap shorter than ten periods of the samples, the function that surely has more than half of all gaps of like length; no row where none has.';

CREATE MACRO blame_total(r, part) AS TABLE
SELECT blamed.duration, blamed.n, idle_of(r, part) AS gaps
FROM (SELECT sum(duration) AS duration, blame_samples(sum(duration), sum(square)) AS n FROM blame_of(r, part)) AS blamed;
COMMENT ON MACRO TABLE blame_total IS 'Idle time of the GPU that is blamed on anything, how many samples a share of it rests on (n), and all such idle time (gaps), of a part as in blame_of [ns].';

CREATE MACRO blame_focus(r, part) AS TABLE
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS spent
    FROM blame_of(r, part) AS blame JOIN enclosing_frames(r) AS enclosing ON enclosing.context = blame.context
    GROUP BY enclosing.frame
),
reached AS MATERIALIZED (
    SELECT path.target, path.key, path.python, min(path.step) AS step, min(path.frame) AS frame, any_value(spent.spent) AS spent
    FROM path_frames(r, (SELECT list(frame) FROM spent)) AS path
    JOIN spent ON spent.frame = path.target
    WHERE path.lexical_type <> 'entry'
    GROUP BY path.target, path.key, path.python
),
by_function AS (
    SELECT key, python, min(frame) AS frame, sum(spent) AS inclusive, avg(step) AS step FROM reached GROUP BY key, python
),
outermost AS MATERIALIZED (
    SELECT key, frame, inclusive
    FROM by_function
    WHERE inclusive >= 0.5 * (SELECT max(inclusive) FROM by_function)
    ORDER BY inclusive >= 0.55 * idle_of(r, part) DESC, python DESC, inclusive, step, key
    LIMIT 1
),
within AS (
    SELECT inner_one.key, min(inner_one.frame) AS frame, sum(inner_one.spent) AS inclusive
    FROM reached AS outer_one
    JOIN outermost ON outermost.key = outer_one.key
    JOIN reached AS inner_one ON inner_one.target = outer_one.target AND inner_one.step < outer_one.step AND inner_one.key <> outer_one.key
    GROUP BY inner_one.key, inner_one.python
    HAVING sum(inner_one.spent) >= 0.5 * any_value(outermost.inclusive)
    ORDER BY inner_one.python DESC, sum(inner_one.spent), avg(inner_one.step), inner_one.key
    LIMIT 1
),
chosen AS (
    SELECT 1 AS position, key, frame, inclusive FROM outermost
    UNION ALL
    SELECT 2, key, frame, inclusive FROM within
)
SELECT chosen.position, frames.name, source_path(coalesce(file.path, frames.called_file)) AS file,
    CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line, chosen.inclusive, total.gaps, total.n,
    total.duration * blame_low(chosen.inclusive / total.duration, total.n) AS low,
    total.duration * blame_high(chosen.inclusive / total.duration, total.n)
        + greatest(total.gaps - total.duration, 0) AS high
FROM chosen
CROSS JOIN blame_total(r, part) AS total
JOIN frames(r) AS frames ON frames.frame = chosen.frame
LEFT JOIN function AS defined ON defined.run = r AND defined.id = frames.function
LEFT JOIN file ON file.run = r AND file.id = defined.file;
COMMENT ON MACRO TABLE blame_focus IS 'Where to look for the idle time of the GPU, of a part as in blame_of: the innermost function with plainly more than half of it, 55 % at least (else with half of what the largest has), and the innermost function below that one with at least half of its time. Python functions before others. low and high are the ends of the 95 % interval of its time; idle time without any sample may be its, too, so high has it [ns].';

CREATE MACRO phases_of(r, targets) AS TABLE
SELECT frame AS target, phase, phase_by AS name FROM frame WHERE run = r AND phase IS NOT NULL AND frame IN (SELECT unnest(targets));
COMMENT ON MACRO TABLE phases_of IS 'The phase of the program in which some frames run, and the function that tells it: see table frame.';

-- CUPTI and NVPerf are called by the CUDA driver for the profiler alone, so that all below them is its own.
-- AMD's libraries stand between the program and the runtime: there only their own code is.
CREATE MACRO profiler_contexts(r) AS TABLE
WITH RECURSIVE inside AS (
    SELECT context FROM context_name WHERE run = r AND regexp_matches(parse_filename(module_path), '^lib(cupti|nvperf)')
    UNION
    SELECT context.id FROM inside JOIN context ON context.parent = inside.context WHERE context.run = r
)
SELECT context FROM inside
UNION
SELECT enclosing.context
FROM context_name AS named JOIN enclosing_frames(r) AS enclosing ON enclosing.frame = named.context
WHERE named.run = r AND regexp_matches(parse_filename(named.module_path), '^lib(rocprofiler|roctracer)');
COMMENT ON MACRO TABLE profiler_contexts IS 'Contexts in which the profiler measures the GPU: on calling paths through NVIDIA''s CUPTI or NVPerf, or in the code of AMD''s rocprofiler or roctracer.';

CREATE MACRO short_gaps(r) AS TABLE
SELECT device, start, stop, duration FROM idle_gaps(r) WHERE period IN ('steady', 'outlier') AND gap <> 'wait';
COMMENT ON MACRO TABLE short_gaps IS 'Gaps within steady iterations, without the long wait of each: see idle_gaps [ns].';

CREATE MACRO period_words(period) AS
    CASE period WHEN 'before' THEN 'start-up' WHEN 'steady' THEN 'typical iterations' WHEN 'outlier' THEN 'outlying iterations'
        WHEN 'last' THEN 'last iteration' WHEN 'between' THEN 'between operations' ELSE period END;
COMMENT ON MACRO period_words IS 'A period of idle_gaps in words; the time before the first operation is start-up.';

CREATE MACRO idle_parts(r) AS TABLE
WITH blamed AS MATERIALIZED (
    SELECT blame.period, blame.gap, enclosing.frame, blame.context IN (SELECT context FROM profiler_contexts(r)) AS own, sum(blame.duration) AS spent
    FROM blame JOIN enclosing_frames(r) AS enclosing ON enclosing.context = blame.context
    WHERE blame.run = r AND blame.period <> 'before'
    GROUP BY ALL
),
below AS (
    SELECT DISTINCT path.target
    FROM path_frames(r, (SELECT list(DISTINCT frame) FROM blamed)) AS path
    JOIN blame_focus(r, 'steady') AS focus ON focus.position = 1 AND focus.name = path.name
),
told AS (
    SELECT period, gap, coalesce(sum(spent) FILTER (WHERE own), 0) AS profiler,
        coalesce(sum(spent) FILTER (WHERE NOT own AND frame IN (SELECT target FROM below)), 0) AS focus,
        coalesce(sum(spent) FILTER (WHERE NOT own AND frame NOT IN (SELECT target FROM below)), 0) AS elsewhere
    FROM blamed
    GROUP BY period, gap
)
SELECT idle.period, idle.gap, idle.first, idle.idle,
    least(coalesce(told.profiler, 0), idle.idle) AS profiler,
    least(coalesce(told.focus, 0), idle.idle) AS focus,
    least(coalesce(told.elsewhere, 0), idle.idle) AS elsewhere
FROM (
    SELECT period, gap, min(first) AS first, sum(duration) / gpus(r) AS idle FROM idle_total WHERE run = r GROUP BY period, gap
) AS idle
LEFT JOIN told ON told.period = idle.period AND told.gap = idle.gap;
COMMENT ON MACRO TABLE idle_parts IS 'All idle time of the GPU, each moment once, by period and gap as in idle_gaps, and what launching threads did meanwhile by their samples: the profiler''s own calls (profiler_contexts), besides these the function of blame_focus (focus), and anything else (elsewhere); of several GPUs the mean [ns].';

CREATE MACRO iteration_parts(r) AS TABLE
WITH steady AS (
    SELECT min(start) AS start, max(start + duration) AS stop, sum(duration) AS length, sum(gpu_busy) AS busy, count(*) AS iterations
    FROM steady_iterations(r)
),
-- When several operations of a GPU run at once, and how much of that time was too much up to its end, if each counted whole.
crowded AS MATERIALIZED (
    SELECT device, start, stop, 1 - 1 / (kernels + copies + others) AS rate,
        sum((stop - start) * (1 - 1 / (kernels + copies + others))) OVER (PARTITION BY device ORDER BY start) AS excess
    FROM gpu_level
    WHERE run = r AND kernels + copies + others > 1
),
-- Bounds of the time as scalars: joined, they make DuckDB expect so few rows that it looks for each through all of crowded.
operation AS (
    SELECT gpu_context.launcher, gpu_context.operation,
        sum(ran.duration - coalesce(last.excess - greatest(last.stop - ran.start - ran.duration, 0) * last.rate, 0)
            + coalesce(first.excess - greatest(first.stop - ran.start, 0) * first.rate, 0)) AS spent
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.run = r AND stream.profile = ran.profile
    JOIN gpu_context ON gpu_context.run = r AND gpu_context.context = ran.context
    ASOF LEFT JOIN crowded AS first ON first.device = stream.device AND first.start <= ran.start
    ASOF LEFT JOIN crowded AS last ON last.device = stream.device AND last.start <= ran.start + ran.duration
    WHERE ran.run = r AND ran.start >= (SELECT start FROM steady) AND ran.start < (SELECT stop FROM steady)
    GROUP BY ALL
),
-- Gaps shorter than the period of samples have one now and then. Where there are few of them, the operation that ends a gap
-- tells whom the GPU waited for, by its calling path; samples share what ends with one whose path tells nothing.
few AS MATERIALIZED (
    SELECT CASE WHEN coalesce(sum(samples) FILTER (WHERE octave < floor(log2(launch_period(r)))), 0) < 100 THEN floor(log2(launch_period(r))) END AS below
    FROM blame
    WHERE run = r AND steady
),
brief AS MATERIALIZED (
    SELECT gap.device, gap.stop, gap.duration
    FROM idle_gaps(r) AS gap CROSS JOIN few
    WHERE gap.inside AND gap.period IN ('steady', 'outlier') AND greatest(floor(log2(gap.duration)), 9) < few.below
),
ended AS MATERIALIZED (
    SELECT frame.phase, sum(brief.duration) / gpus(r) AS spent
    FROM brief
    JOIN (
        SELECT stream.device, ran.start, min(ran.context) AS context
        FROM gpu_operation AS ran JOIN gpu_stream AS stream ON stream.run = r AND stream.profile = ran.profile
        WHERE ran.run = r
        GROUP BY ALL
    ) AS following ON following.device = brief.device AND following.start = brief.stop
    JOIN gpu_context ON gpu_context.run = r AND gpu_context.context = following.context
    JOIN enclosing_frames(r) AS enclosing ON enclosing.context = gpu_context.launcher
    JOIN frame ON frame.run = r AND frame.frame = enclosing.frame AND frame.phase IN ('data', 'transfer', 'forward', 'backward', 'optimizer')
    GROUP BY frame.phase
),
untold AS (
    SELECT greatest(coalesce((SELECT sum(duration) / gpus(r) FROM brief), 0) - coalesce((SELECT sum(spent) FROM ended), 0), 0) AS spent
),
held AS (
    SELECT CASE WHEN blame.context IN (SELECT context FROM profiler_contexts(r)) THEN 'profiler' ELSE coalesce(frame.phase, 'other') END AS phase,
        coalesce(blame.octave < few.below, false) AS brief, sum(blame.duration) AS spent, sum(blame.square) AS square, sum(blame.samples) AS samples
    FROM blame
    CROSS JOIN few
    JOIN enclosing_frames(r) AS enclosing ON enclosing.context = blame.context
    JOIN frame ON frame.run = r AND frame.frame = enclosing.frame
    WHERE blame.run = r AND blame.steady
    GROUP BY ALL
),
sampled AS MATERIALIZED (
    SELECT held.phase, CASE WHEN held.brief THEN untold.spent / sum(held.spent) OVER (PARTITION BY held.brief) ELSE 1 END AS weight, held.spent, held.square
    FROM held CROSS JOIN untold
    WHERE NOT held.brief OR held.phase NOT IN ('forward', 'backward', 'optimizer')
    QUALIFY NOT held.brief OR sum(held.samples) OVER (PARTITION BY held.brief) >= 20
),
part AS (
    SELECT CASE WHEN operation.operation LIKE 'copy%' AND operation.operation <> 'copy D2D' THEN 'transfer' ELSE coalesce(frame.phase, 'other') END AS phase,
        operation.operation LIKE 'copy%' AND operation.operation <> 'copy D2D' AS is_copy, operation.spent AS ran, 0 AS idle, 0 AS told
    FROM operation
    JOIN enclosing_frames(r) AS enclosing ON enclosing.context = operation.launcher
    JOIN frame ON frame.run = r AND frame.frame = enclosing.frame
    UNION ALL
    SELECT phase, false, 0, weight * spent, 0 FROM sampled
    UNION ALL
    SELECT phase, false, 0, spent, spent FROM ended
),
summed AS (
    SELECT CASE WHEN phase IN ('initialisation', 'importing') THEN 'other' ELSE phase END AS phase,
        sum(ran) AS ran, sum(idle) AS idle, sum(told) AS told, bool_or(NOT is_copy AND phase IN ('data', 'forward', 'backward', 'optimizer')) AS known
    FROM part
    GROUP BY ALL
),
whole AS MATERIALIZED (
    SELECT summed.phase, coalesce(summed.ran * steady.busy / nullif(sum(summed.ran) OVER (), 0), 0) AS gpu_busy, summed.idle AS gpu_idle, summed.told
    FROM summed CROSS JOIN steady
    QUALIFY bool_or(summed.known) OVER ()
)
SELECT phased.phase, phased.gpu_busy, phased.gpu_idle, phased.told, steady.iterations, steady.length,
    (SELECT blame_samples(sum(weight * spent), sum(weight * weight * square)) FROM sampled) AS n
FROM steady
CROSS JOIN (
    FROM whole
    UNION ALL
    SELECT 'not told', 0, greatest(any_value(length - busy) - sum(gpu_idle), 0), 0 FROM whole CROSS JOIN steady HAVING count(*) > 0
) AS phased;
COMMENT ON MACRO TABLE iteration_parts IS 'Steady iterations by phase of the program: time of GPU operations that it launched, and idle time of the GPU in which launching threads ran it, over all iterations together [ns]. Of gaps shorter than the period of samples, where these have fewer than 100, the operation that ends a gap tells the phase (told, part of gpu_idle), and samples share the rest, if there are 20. Idle time in profiler_contexts counts as the phase profiler, whoever called them. Each moment counts once, shared by the operations that run at once; no row where no function tells a phase. n is what a share of the idle time but told rests on: see blame_samples.';

CREATE MACRO gpu_initialisation(r) AS TABLE
SELECT name, frame, start, stop FROM gpu_start WHERE run = r;
COMMENT ON MACRO TABLE gpu_initialisation IS 'The rows of table gpu_start of a run.';

CREATE MACRO part_name(part) AS
    CASE part
        WHEN 'data' THEN 'preparing input data'
        WHEN 'initialisation' THEN 'initialising a GPU'
        WHEN 'importing' THEN 'importing modules'
        WHEN 'transfer' THEN 'moving data to or from a GPU'
        WHEN 'forward' THEN 'the forward pass'
        WHEN 'backward' THEN 'the backward pass'
        WHEN 'optimizer' THEN 'the optimizer'
        WHEN 'waiting' THEN 'waiting for the backward pass'
        WHEN 'gpu wait' THEN 'waiting for the GPU'
        WHEN 'profiler' THEN 'the profiler''s own calls'
        ELSE part
    END;
COMMENT ON MACRO part_name IS 'What a program does in a part of main_stretches, in words.';

CREATE MACRO owner_of_half(owner, weight) AS
    CASE WHEN 2 * max(weight) FILTER (owner IS NOT NULL) >= sum(weight) THEN arg_min(owner, row(-weight, owner)) FILTER (owner IS NOT NULL) END;
COMMENT ON MACRO owner_of_half IS 'Aggregate: the owner with the largest weight of a group with one row each, where that is half of all weight at least, of equal ones the first; the weight of no owner counts as well.';

CREATE MACRO main_stretches(r) AS TABLE
SELECT frame, spent, begins, ends, running, "after", after_square, after_lost, before, before_square, before_lost, dropped, owner,
    CASE WHEN waits AND sum(spent) FILTER (WHERE waits) OVER () >= 10 * distance THEN 'gpu wait' ELSE part END AS part, distance, threads
FROM (
    SELECT * REPLACE (CASE WHEN profiled THEN 'profiler' ELSE part END AS part), may_wait AND NOT profiled AS waits
    FROM (
        SELECT *, profiler AND sum(spent) FILTER (WHERE profiler) OVER () >= 10 * distance AS profiled
        FROM (
            SELECT stretch.* EXCLUDE (profiled), CASE WHEN stretch.part <> 'waiting' THEN frame.owner END AS owner,
                stretch.part NOT IN ('waiting', 'initialisation') AND coalesce(frame.role = 'gpu wait', false) AS may_wait,
                stretch.part <> 'initialisation' AND stretch.profiled AS profiler
            FROM main_stretch AS stretch
            JOIN frame ON frame.run = r AND frame.frame = stretch.frame
            WHERE stretch.run = r
        )
    )
);
COMMENT ON MACRO TABLE main_stretches IS 'The rows of table main_stretch of a run, with the program''s own function that each belongs to (frame.owner), NULL where it waits for the backward pass. Calls that wait for a GPU (frame.role) are a part gpu wait, in whatever phase they are, if they take ten usual distances between samples in all; so are those in profiler_contexts a part profiler, before that, but for what starts a GPU; in waits for the backward pass these are the other thread''s.';

CREATE MACRO dropped_share(r, of) AS (
    SELECT if(sum(dropped) < 0, 0, sum(dropped)) / nullif(sum(spent), 0) FROM main_stretches(r) WHERE part = of
);
COMMENT ON MACRO dropped_share IS 'Of the main thread''s elapsed time in a part of the program (main_stretches), the share in which the profiler dropped its samples, though its CPU clock ran; NULL where the timer does not tell.';

CREATE MACRO unprofiled_iterations(r) AS TABLE
WITH whole AS (
    SELECT sum(gpu_idle) FILTER (WHERE phase = 'profiler') AS profiler,
        sum(gpu_idle - told) FILTER (WHERE phase = 'data') AS input,
        coalesce(sum(gpu_busy + told) FILTER (WHERE phase <> 'data'), 0) AS busy,
        coalesce(sum(gpu_idle - told) FILTER (WHERE phase <> 'not told'), 0) AS blamed,
        sum(gpu_idle) FILTER (WHERE phase = 'not told') AS unknown,
        any_value(length) AS length, any_value(iterations) AS iterations, any_value(n) AS n
    FROM iteration_parts(r)
    HAVING count(*) > 0
),
rest AS (
    SELECT *, greatest(blamed - coalesce(profiler, 0) - coalesce(input, 0), 0) / nullif(blamed, 0) AS part FROM whole
)
SELECT coalesce(profiler, 0) AS profiler, blamed * blame_low(coalesce(profiler, 0) / nullif(blamed, 0), n) AS profiler_low,
    blamed * blame_high(coalesce(profiler, 0) / nullif(blamed, 0), n) AS profiler_high, length - coalesce(profiler, 0) AS own,
    busy + blamed * coalesce(part, 0) + unknown AS rest, busy + blamed * blame_low(part, n) AS rest_low,
    busy + blamed * blame_high(part, n) + unknown AS rest_high, iterations, n,
    coalesce(dropped_share(r, 'data') > 0.5, false) AS hooked
FROM rest;
COMMENT ON MACRO TABLE unprofiled_iterations IS 'Steady iterations by iteration_parts, over all of them together: the profiler''s own calls, all else (own), and what is left of that without input data (rest), in which idle time without any sample counts, but not in its lower end. Ends are those of 95 % Wilson intervals; n is what these rest on. hooked tells whether most of the main thread''s time for input passes without samples while its CPU clock runs (dropped_share): that is most likely the profiler''s, too, and in none of its calls. No row where no function tells a phase [ns].';

CREATE MACRO training_span(r) AS TABLE
SELECT min(stretch.begins) FILTER (WHERE stretch.part = 'data') AS first, max(stretch.ends) AS last,
    (last - first) / 1e9 AS seconds, any_value(given.batches) AS batches
FROM main_stretch AS stretch
CROSS JOIN (
    SELECT TRY_CAST(value AS DOUBLE) AS batches FROM setting WHERE run = r AND key = 'workload.batches'
) AS given
WHERE stretch.run = r AND stretch.part IN ('data', 'forward', 'backward', 'optimizer') AND given.batches > 0
    AND NOT EXISTS (FROM gpu_stream WHERE run = r)
HAVING seconds > 0;
COMMENT ON MACRO TABLE training_span IS 'How long a run without GPU operations trains, from the first stretch of input data on a main thread to the last sample of input data, the forward pass, the backward pass or the optimizer [s], when that begins and ends, from the begin of the run [ns], and the batches that profile.toml gives; no row without these.';

CREATE MACRO nothing_runs_python(r) AS TABLE
WITH idle AS MATERIALIZED (
    SELECT enclosing.frame, CAST(sum(idle.duration) AS DOUBLE) AS spent, CAST(sum(idle.clocked) AS DOUBLE) AS clocked
    FROM idle_time AS idle
    JOIN enclosing_frames(r) AS enclosing ON enclosing.context = idle.context
    WHERE idle.run = r
    GROUP BY enclosing.frame
),
told AS (
    SELECT target AS frame, bool_or(python) AS python
    FROM path_frames(r, (SELECT list(frame) FROM idle))
    GROUP BY target
)
SELECT sum(idle.spent) AS spent, sum(idle.clocked) AS clocked, any_value(span.stop - span.start) AS wall
FROM idle
JOIN told ON told.frame = idle.frame
JOIN cpu_trace_span AS span ON span.run = r AND span.stop > span.start
WHERE NOT EXISTS (SELECT 1 FROM gpu_span WHERE run = r)
HAVING sum(idle.spent) FILTER (WHERE told.python) >= 0.9 * sum(idle.spent)
    AND sum(idle.clocked) >= 0.75 * sum(idle.spent);
COMMENT ON MACRO TABLE nothing_runs_python IS 'Time of a run without GPU work in which no sample shows a CPU thread running (idle_time), the part of it that ends on whole periods of the timer, and the wall time. No row where less than nine tenths of it end in Python, or less than three quarters on whole periods [ns].';

CREATE MACRO stretched(squares, distance) AS sqrt(3.8416 * squares + 3.6896 * distance * distance);
COMMENT ON MACRO stretched IS 'Half the width of the 95 % interval of a time that stretches between samples make up, from the squares of those that may belong elsewhere and the usual distance of samples, as Wilson''s of a rare share.';

CREATE MACRO stretches_low(spent, lengths, squares, lost, distance) AS
    greatest(spent - lost - least(lengths, stretched(squares, distance) - 1.9208 * distance), 0);
COMMENT ON MACRO stretches_low IS 'Lower end of the 95 % interval of a part of main_stretches: less by what of its own stretches may belong to parts before them, and by samples of those that were dropped.';

CREATE MACRO stretches_high(spent, lengths, squares, lost, distance) AS
    spent + lost + least(lengths + 3.8416 * distance, stretched(squares, distance) + 1.9208 * distance);
COMMENT ON MACRO stretches_high IS 'Upper end of the 95 % interval of a part of main_stretches, below the whole: more by what of stretches of other parts after it may be its own, by its samples that were dropped, and by what no sample met.';

CREATE MACRO fusable_kernels(r) AS TABLE
WITH steady AS MATERIALIZED (
    SELECT iteration, start, start + duration AS stop FROM steady_iterations(r)
),
enclosed AS MATERIALIZED (
    SELECT ran.context, enclosing.frame
    FROM (SELECT DISTINCT context FROM gpu_operation WHERE run = r AND operation = 'kernel') AS ran
    JOIN enclosing_frames(r) AS enclosing ON enclosing.context = ran.context
),
called AS MATERIALIZED (
    SELECT target, frame, step, name AS full_name, regexp_replace(replace(name, '(anonymous namespace)::', ''), '\(.*$', '', 's') AS name
    FROM path_frames(r, (SELECT list(DISTINCT frame) FROM enclosed))
),
part AS MATERIALIZED (
    SELECT names.full_name, pattern.role, pattern.tells
    FROM (SELECT DISTINCT full_name, name FROM called) AS names
    JOIN fusable_pattern AS pattern
        ON regexp_matches(CASE pattern.tells WHEN 'caller' THEN names.name ELSE lower(names.full_name) END, pattern.pattern)
),
roles AS MATERIALIZED (
    SELECT called.target, part.role, max(called.step) AS step
    FROM called
    JOIN part ON part.full_name = called.full_name
        AND CASE part.tells WHEN 'kernel' THEN called.step = 0 WHEN 'caller' THEN called.step > 0 ELSE true END
    GROUP BY called.target, part.role
),
told AS MATERIALIZED (
    SELECT called.target,
        bool_or(called.step = 0 AND kernel_kind(called.full_name) = 'library product') AS product,
        coalesce(bool_or(roles.role = 'batched product'), false) AND NOT coalesce(bool_or(roles.role = 'linear layer'), false) AS batched,
        coalesce(bool_or(roles.role = 'softmax'), false) AND NOT coalesce(bool_or(roles.role = 'other softmax'), false) AS softmax,
        coalesce(bool_or(roles.role = 'backward'), false) AS backward,
        any_value(called.frame) FILTER (WHERE roles.role = 'optimiser' AND roles.step = called.step) AS optimiser
    FROM called
    LEFT JOIN roles ON roles.target = called.target
    GROUP BY called.target
),
ordered AS MATERIALIZED (
    SELECT ran.profile, steady.iteration, ran.context, ran.start, ran.duration, told.product, told.batched, told.softmax, told.backward, told.optimiser,
        row_number() OVER line AS n, ran.start - lag(ran.start + ran.duration) OVER line AS gap,
        sum(CAST(told.product AS INTEGER)) OVER (line ROWS UNBOUNDED PRECEDING) AS products
    FROM gpu_operation AS ran
    ASOF JOIN steady ON steady.start <= ran.start
    JOIN enclosed ON enclosed.context = ran.context
    JOIN told ON told.target = enclosed.frame
    WHERE ran.run = r AND ran.operation = 'kernel' AND ran.start < steady.stop
    WINDOW line AS (PARTITION BY ran.profile, steady.iteration ORDER BY ran.start, ran.context)
),
batched AS MATERIALIZED (
    SELECT profile, iteration, products, n FROM ordered WHERE product AND batched
),
-- The backward pass has two products for each one of the forward pass: one for each factor.
attention AS MATERIALIZED (
    SELECT core.profile, core.iteration, core.backward,
        coalesce(before.n, scores.n) AS start, coalesce(after.n, results.n) AS stop
    FROM (
        SELECT profile, iteration, products, bool_or(backward) AS backward
        FROM ordered
        WHERE softmax AND NOT product
        GROUP BY profile, iteration, products
    ) AS core
    JOIN batched AS scores ON scores.profile = core.profile AND scores.iteration = core.iteration AND scores.products = core.products
    JOIN batched AS results ON results.profile = core.profile AND results.iteration = core.iteration AND results.products = core.products + 1
    LEFT JOIN batched AS before ON core.backward AND before.profile = core.profile AND before.iteration = core.iteration AND before.products = core.products - 1 AND before.n = scores.n - 1
    LEFT JOIN batched AS after ON core.backward AND after.profile = core.profile AND after.iteration = core.iteration AND after.products = core.products + 2 AND after.n = results.n + 1
    WHERE results.n - scores.n <= 12
)
SELECT CASE WHEN attention.backward THEN 'attention, backward' ELSE 'attention' END AS kind,
    ordered.profile, ordered.iteration, attention.start AS chain, ordered.context,
    ordered.duration, CASE WHEN ordered.n > attention.start THEN greatest(ordered.gap, 0) ELSE 0 END AS gap,
    first(ordered.context) OVER (PARTITION BY attention.profile, attention.iteration, attention.start ORDER BY ordered.n) AS place
FROM attention
JOIN ordered ON ordered.profile = attention.profile AND ordered.iteration = attention.iteration AND ordered.n BETWEEN attention.start AND attention.stop
QUALIFY row_number() OVER (PARTITION BY ordered.profile, ordered.iteration, ordered.n ORDER BY attention.start) = 1
UNION ALL
SELECT 'optimiser', profile, iteration, 0, context, duration,
    CASE WHEN lag(n) OVER (PARTITION BY profile, iteration, optimiser ORDER BY n) = n - 1 THEN greatest(gap, 0) ELSE 0 END,
    min(context) OVER (PARTITION BY optimiser)
FROM ordered
WHERE optimiser IS NOT NULL;
COMMENT ON MACRO TABLE fusable_kernels IS 'Kernels of steady iterations that are known by name (fusable_pattern) to be parts of what one call of a library would do. Attention: a softmax that is no logarithm, between two batched matrix products with no other product and at most ten kernels more between them in the stream (bmm, matmul, einsum or batched GEMMs on the calling path, and no linear layer); in the backward pass two products on either side. Optimiser: kernels of PyTorch''s Adam, AdamW or SGD by tensor or by lists of tensors. chain numbers the chains of an iteration, gap is the time since the kernel before within it, place a context of its first kernels [ns].';
