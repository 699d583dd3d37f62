-- What the trace of run $run says, computed once when the run is stored. In this order:
-- kinds of lines, contexts of GPU operations, operations with repaired durations, how many run
-- at once, lines and threads that launch, CPU time, timelines, iterations, blame for idle times.
-- Times are BIGINT nanoseconds since the epoch; subtract before converting to DOUBLE.

UPDATE profile
SET kind = CASE WHEN seen.gpu THEN 'GPU stream' ELSE 'CPU thread' END
FROM (
    SELECT trace.profile, bool_and(placeholder.context IS NOT NULL) AS gpu
    FROM (
        SELECT DISTINCT profile, context
        FROM trace
        WHERE run = $run AND context <> 0 AND profile IN (SELECT "index" FROM profile WHERE run = $run AND kind = 'unknown')
    ) AS trace
    LEFT JOIN placeholder_contexts($run) AS placeholder ON placeholder.context = trace.context
    GROUP BY trace.profile
) AS seen
WHERE profile.run = $run AND profile.kind = 'unknown' AND seen.profile = profile."index";

INSERT INTO gpu_context
SELECT $run, context, launcher,
    CASE placeholder
        WHEN '<gpu kernel>' THEN 'kernel'
        WHEN '<gpu copyin>' THEN 'copy H2D'
        WHEN '<gpu copyout>' THEN 'copy D2H'
        WHEN '<gpu copy>' THEN CASE WHEN on_device THEN 'copy D2D' ELSE 'copy' END
        WHEN '<gpu memset>' THEN 'memset'
        WHEN '<gpu alloc>' THEN 'allocation'
        WHEN '<gpu delete>' THEN 'allocation'
        WHEN '<gpu sync>' THEN 'synchronisation'
        ELSE 'other'
    END
FROM placeholder_contexts($run)
-- HPCToolkit names copies from and to the host apart; where it does, what is left stays on the
-- device, unless bytes of another direction were counted.
CROSS JOIN (
    SELECT (
            EXISTS (SELECT 1 FROM function WHERE run = $run AND name IN ('<gpu copyin>', '<gpu copyout>'))
            OR total_of($run, 'GXCOPY:D2D (B)') > 0
        ) AND NOT EXISTS (
            SELECT 1 FROM total
            WHERE run = $run AND value > 0 AND name LIKE 'GXCOPY:% (B)'
                AND name NOT IN ('GXCOPY:D2D (B)', 'GXCOPY:H2D (B)', 'GXCOPY:D2H (B)')
        ) AS on_device
);

-- The trace is read again for each step: only durations of contexts with a suspect operation, and
-- of kinds where such a context has no other, are kept in memory.
INSERT INTO gpu_operation
WITH doubtful AS MATERIALIZED (
    SELECT DISTINCT context, operation FROM recorded_operations($run) WHERE suspect
),
of_context AS MATERIALIZED (
    SELECT recorded.context, median(recorded.duration) AS duration
    FROM recorded_operations($run) AS recorded
    WHERE NOT recorded.suspect AND recorded.context IN (SELECT context FROM doubtful)
    GROUP BY recorded.context
),
of_kind AS MATERIALIZED (
    SELECT recorded.operation, median(recorded.duration) AS duration
    FROM recorded_operations($run) AS recorded
    WHERE NOT recorded.suspect
        AND recorded.operation IN (SELECT operation FROM doubtful WHERE context NOT IN (SELECT context FROM of_context))
    GROUP BY recorded.operation
),
usual AS MATERIALIZED (
    SELECT doubtful.context, CAST(round(coalesce(of_context.duration, of_kind.duration)) AS BIGINT) AS duration
    FROM doubtful
    LEFT JOIN of_context ON of_context.context = doubtful.context
    LEFT JOIN of_kind ON of_kind.operation = doubtful.operation
)
SELECT $run, recorded.profile, recorded.start,
    CASE WHEN recorded.suspect THEN coalesce(usual.duration, recorded.duration) ELSE recorded.duration END,
    recorded.duration, recorded.suspect AND usual.duration IS NOT NULL,
    recorded.operation, recorded.context
FROM recorded_operations($run) AS recorded
LEFT JOIN usual ON usual.context = recorded.context;

-- Begins and ends in order of time; their running sum is what runs. Kernels count in the lowest
-- 20 bits of a step, copies in the next 20 and other operations above. Sums run within slices of
-- time, each of which fits into memory, and go on from what the slices before add up to.
INSERT INTO gpu_level
WITH operation AS (
    SELECT start, start + duration AS stop,
        CASE WHEN operation = 'kernel' THEN 1 WHEN operation LIKE 'copy%' THEN 1048576 ELSE 1099511627776 END AS step
    FROM gpu_operation
    WHERE run = $run AND duration > 0
),
event AS MATERIALIZED (
    SELECT slice_of(moment, span.start, span.stop) AS slice, moment, step
    FROM (
        SELECT start AS moment, step FROM operation
        UNION ALL
        SELECT stop, -step FROM operation
    )
    CROSS JOIN (SELECT start, stop FROM gpu_span WHERE run = $run) AS span
),
slice AS (
    SELECT slice, sum(sum(step)) OVER (ORDER BY slice) - sum(step) AS carried, lead(min(moment)) OVER (ORDER BY slice) AS next
    FROM event
    GROUP BY slice
),
level AS (
    SELECT slice, moment AS start,
        lead(moment) OVER (PARTITION BY slice ORDER BY moment) AS stop,
        sum(step) OVER (PARTITION BY slice ORDER BY moment ROWS UNBOUNDED PRECEDING) AS level
    FROM event
),
whole AS (
    SELECT level.start, coalesce(level.stop, slice.next) AS stop, CAST(level.level + slice.carried AS BIGINT) AS level
    FROM level JOIN slice ON slice.slice = level.slice
)
SELECT $run, start, stop, level & 1048575, (level >> 20) & 1048575, level >> 40
FROM whole
WHERE stop > start;

-- The distance of samples is a median over classes that are 0.1 % wide, since a median of all
-- needs them all in memory. A sample of CPU time stands for one period of it; of a thread whose
-- CPU time is known, for no more than that divided by its samples.
INSERT INTO trace_line
WITH line AS (
    SELECT trace.profile, any_value(profile.kind) AS kind, count(*) AS points,
        CAST(min(trace."time") AS BIGINT) AS start, CAST(max(trace."time") AS BIGINT) AS stop,
        count(*) FILTER (WHERE trace.context <> 0) AS active
    FROM trace
    JOIN profile ON profile.run = $run AND profile."index" = trace.profile
    WHERE trace.run = $run
    GROUP BY trace.profile
),
launching AS (
    SELECT DISTINCT seen.profile
    FROM (SELECT DISTINCT profile, context FROM trace WHERE run = $run AND context <> 0) AS seen
    JOIN launching_contexts($run) AS near ON near.context = seen.context
),
class AS (
    SELECT again, CAST(1000 * ln(sample.duration) AS INTEGER) AS class, count(*) AS samples, avg(sample.duration) AS distance
    FROM cpu_samples($run) AS sample
    JOIN line ON line.profile = sample.profile AND line.kind <> 'GPU stream'
    GROUP BY ALL
),
period AS (
    SELECT CAST(min(distance) AS BIGINT) AS period
    FROM (
        SELECT distance, sum(samples) OVER (ORDER BY class) AS upto, sum(samples) OVER () AS whole
        FROM class
        WHERE again = (SELECT bool_or(again) FROM class)
    )
    WHERE 2 * upto >= whole
),
limited AS (
    SELECT line.*, cpu_clock($run) AS clock, period.period, recorded.value / line.active * 1e9 AS cpu_time
    FROM line
    CROSS JOIN period
    LEFT JOIN profile_total AS recorded
        ON recorded.run = $run AND recorded.profile = line.profile AND recorded.name = 'CPUTIME (sec)' AND recorded.value > 0
    WHERE line.kind <> 'GPU stream'
)
SELECT $run, line.profile,
    CASE line.kind WHEN 'GPU stream' THEN line.kind ELSE 'CPU thread' END, line.points, line.start, line.stop, line.active,
    CAST(floor(least(CASE limited.clock WHEN 'running' THEN limited.period ELSE 10 * limited.period END, limited.cpu_time)) AS BIGINT),
    limited.clock,
    line.kind <> 'GPU stream' AND launching.profile IS NOT NULL
FROM line
LEFT JOIN limited ON limited.profile = line.profile
LEFT JOIN launching ON launching.profile = line.profile;

INSERT INTO cpu_time
SELECT $run, profile, context, CAST(sum(stop - start) AS BIGINT)
FROM cpu_interval($run)
GROUP BY profile, context;

INSERT INTO trace_bin
SELECT $run, profile, kind, bin, busy FROM line_bins($run, 1200);

INSERT INTO iteration
WITH bound AS (
    SELECT iteration, start, coalesce(lead(start) OVER (ORDER BY iteration), last) AS stop,
        lead(start) OVER (ORDER BY iteration) IS NOT NULL AS complete
    FROM iteration_starts($run)
),
used AS (
    SELECT bound.iteration,
        sum(least(level.stop, bound.stop) - greatest(level.start, bound.start))
            FILTER (WHERE level.kernels + level.copies + level.others > 0) AS busy,
        max(least(level.stop, bound.stop) - greatest(level.start, bound.start))
            FILTER (WHERE level.kernels + level.copies + level.others = 0) AS gap
    FROM bound
    JOIN gpu_level AS level ON level.start < bound.stop AND level.stop > bound.start
    WHERE level.run = $run
    GROUP BY bound.iteration
),
usual AS (
    SELECT median(stop - start) AS middle,
        greatest(3 * 1.4826 * mad(stop - start), 0.05 * median(stop - start)) AS width
    FROM bound
    WHERE complete
),
rated AS (
    SELECT bound.*, stop - start > middle + width AS long, abs(stop - start - middle) > width AS far
    FROM bound CROSS JOIN usual
)
SELECT $run, rated.iteration, rated.start, rated.stop, coalesce(used.busy, 0), coalesce(used.gap, 0),
    CASE
        WHEN NOT complete THEN 'incomplete'
        WHEN bool_and(long) OVER (ORDER BY rated.iteration) THEN 'warm-up'
        WHEN far THEN 'outlier'
        ELSE ''
    END
FROM rated
LEFT JOIN used ON used.iteration = rated.iteration;

-- Begins and ends of idle times and of samples in order of time. Between two of them, an idle
-- time weighs 1 / (threads sampled); what a sample is blamed for is the weight summed up to its
-- end less the weight summed up to its begin. In "whole", weights are scaled for each idle time
-- so that they add up to it. Events of one time keep one order (place) throughout. The weights at
-- the first GPU operation and at both ends of the steady iterations divide the sums: an operation
-- begins or ends there, so that no idle time lies across.
INSERT INTO blame
WITH idle AS (
    SELECT start, stop FROM gpu_idle WHERE run = $run AND period <> 'after'
),
held AS (
    SELECT context, start, stop FROM launching_interval($run)
),
event AS MATERIALIZED (
    SELECT slice_of(moment, span.start, span.stop) AS slice, moment, context, threads, idle
    FROM (
        SELECT start AS moment, context, 1 AS threads, 0 AS idle FROM held
        UNION ALL SELECT stop, context, -1, 0 FROM held
        UNION ALL SELECT start, NULL, 0, 1 FROM idle
        UNION ALL SELECT stop, NULL, 0, -1 FROM idle
    )
    CROSS JOIN (SELECT start, stop FROM traced_span WHERE run = $run) AS span
),
slice AS (
    SELECT slice, lead(min(moment)) OVER (ORDER BY slice) AS next,
        sum(sum(threads)) OVER w - sum(threads) AS running, sum(sum(idle)) OVER w - sum(idle) AS is_idle,
        sum(sum(greatest(idle, 0))) OVER w - sum(greatest(idle, 0)) AS number
    FROM event
    GROUP BY slice
    WINDOW w AS (ORDER BY slice)
),
level AS (
    SELECT slice, moment, context, threads,
        row_number() OVER w AS place, lead(moment) OVER w AS next,
        sum(threads) OVER w AS running, sum(idle) OVER w AS is_idle, sum(greatest(idle, 0)) OVER w AS number
    FROM event
    WINDOW w AS (PARTITION BY slice ORDER BY moment ROWS UNBOUNDED PRECEDING)
),
piece AS MATERIALIZED (
    SELECT level.slice, level.place, level.moment, level.context, level.threads,
        CASE WHEN level.is_idle + slice.is_idle > 0 THEN coalesce(level.next, slice.next, level.moment) - level.moment ELSE 0 END AS length,
        level.running + slice.running AS running, level.number + slice.number AS number
    FROM level JOIN slice ON slice.slice = level.slice
),
scale AS (
    SELECT number, sum(length) / sum(length) FILTER (WHERE running > 0) AS scale
    FROM piece
    WHERE length > 0
    GROUP BY number
),
weighed AS MATERIALIZED (
    SELECT piece.slice, piece.place, piece.moment, piece.context, piece.threads,
        CASE WHEN length > 0 AND running > 0 THEN length / running ELSE 0 END AS sampled,
        CASE WHEN length > 0 AND running > 0 THEN length / running * scale ELSE 0 END AS whole
    FROM piece
    LEFT JOIN scale ON scale.number = piece.number
),
carried AS (
    SELECT slice, sum(sum(sampled)) OVER (ORDER BY slice) - sum(sampled) AS sampled, sum(sum(whole)) OVER (ORDER BY slice) - sum(whole) AS whole
    FROM weighed
    GROUP BY slice
),
cut AS (
    SELECT coalesce(sum(sampled) FILTER (WHERE moment < span.start), 0) AS sampled,
        coalesce(sum(whole) FILTER (WHERE moment < span.start), 0) AS whole,
        coalesce(sum(sampled) FILTER (WHERE moment < steady.start), 0) AS sampled_from,
        coalesce(sum(whole) FILTER (WHERE moment < steady.start), 0) AS whole_from,
        coalesce(sum(sampled) FILTER (WHERE moment < steady.stop), 0) AS sampled_to,
        coalesce(sum(whole) FILTER (WHERE moment < steady.stop), 0) AS whole_to
    FROM weighed
    CROSS JOIN (SELECT start FROM gpu_span WHERE run = $run) AS span
    CROSS JOIN (SELECT min(start) AS start, max(start + duration) AS stop FROM steady_iterations($run)) AS steady
),
weight AS (
    SELECT inside.context, inside.threads, inside.sampled + carried.sampled AS sampled, inside.whole + carried.whole AS whole
    FROM (
        SELECT slice, context, threads, sum(sampled) OVER w - sampled AS sampled, sum(whole) OVER w - whole AS whole
        FROM weighed
        WINDOW w AS (PARTITION BY slice ORDER BY place ROWS UNBOUNDED PRECEDING)
    ) AS inside
    JOIN carried ON carried.slice = inside.slice
    WHERE inside.context IS NOT NULL
),
share AS (
    SELECT weight.context,
        -sum(threads * least(weight.sampled, cut.sampled)) AS sampled_before,
        -sum(threads * least(weight.whole, cut.whole)) AS whole_before,
        -sum(threads * greatest(weight.sampled, cut.sampled)) AS sampled_between,
        -sum(threads * greatest(weight.whole, cut.whole)) AS whole_between,
        -sum(threads * least(greatest(weight.sampled, cut.sampled_from), cut.sampled_to)) AS sampled_steady,
        -sum(threads * least(greatest(weight.whole, cut.whole_from), cut.whole_to)) AS whole_steady
    FROM weight CROSS JOIN cut
    GROUP BY weight.context
)
SELECT $run, period, steady, context, sampled, whole
FROM (
    SELECT context, unnest([
        {'period': 'before', 'steady': false, 'sampled': sampled_before, 'whole': whole_before},
        {'period': 'between', 'steady': false, 'sampled': sampled_between - sampled_steady, 'whole': whole_between - whole_steady},
        {'period': 'between', 'steady': true, 'sampled': sampled_steady, 'whole': whole_steady}
    ], recursive := true)
    FROM share
)
WHERE whole > 0.01;  -- ns: less is an error of summation
