-- What the trace of run $run says, computed once when the run is stored. In this order:
-- kinds of lines, contexts of GPU operations, operations with repaired durations, how many run
-- at once, threads that launch, CPU time, blame for idle times, iterations.
-- Times are BIGINT nanoseconds since the epoch; subtract before converting to DOUBLE.

UPDATE profile
SET kind = CASE WHEN seen.gpu THEN 'GPU stream' ELSE 'CPU thread' END
FROM (
    SELECT trace.profile, bool_and(placeholder.context IS NOT NULL) AS gpu
    FROM (SELECT DISTINCT profile, context FROM trace WHERE run = $run AND context <> 0) AS trace
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

INSERT INTO gpu_operation
WITH operation AS (
    SELECT trace.profile, CAST(trace."time" AS BIGINT) AS start, CAST(trace.duration AS BIGINT) AS raw,
        trace.suspect, coalesce(gpu_context.operation, 'other') AS operation, trace.context
    FROM trace
    JOIN profile ON profile.run = $run AND profile."index" = trace.profile AND profile.kind = 'GPU stream'
    LEFT JOIN gpu_context ON gpu_context.run = $run AND gpu_context.context = trace.context
    WHERE trace.run = $run AND trace.context <> 0 AND trace.duration IS NOT NULL
),
doubtful AS (
    SELECT DISTINCT context, operation FROM operation WHERE suspect
),
usual AS (
    SELECT doubtful.context,
        CAST(round(coalesce(
            (SELECT median(raw) FROM operation WHERE operation.context = doubtful.context AND NOT suspect),
            (SELECT median(raw) FROM operation WHERE operation.operation = doubtful.operation AND NOT suspect)
        )) AS BIGINT) AS duration
    FROM doubtful
)
SELECT $run, operation.profile, operation.start,
    CASE WHEN operation.suspect THEN coalesce(usual.duration, operation.raw) ELSE operation.raw END,
    operation.raw, operation.suspect AND usual.duration IS NOT NULL,
    operation.operation, operation.context
FROM operation
LEFT JOIN usual ON usual.context = operation.context;

INSERT INTO gpu_level
WITH change AS (
    SELECT start AS moment, 1 AS step, operation FROM gpu_operation WHERE run = $run AND duration > 0
    UNION ALL
    SELECT start + duration, -1, operation FROM gpu_operation WHERE run = $run AND duration > 0
),
moment AS (
    SELECT moment,
        sum(step) FILTER (WHERE operation = 'kernel') AS kernels,
        sum(step) FILTER (WHERE operation LIKE 'copy%') AS copies,
        sum(step) FILTER (WHERE operation <> 'kernel' AND operation NOT LIKE 'copy%') AS others
    FROM change
    GROUP BY moment
    HAVING kernels <> 0 OR copies <> 0 OR others <> 0
)
SELECT $run, moment,
    lead(moment) OVER (ORDER BY moment) AS stop,
    coalesce(sum(kernels) OVER (ORDER BY moment), 0),
    coalesce(sum(copies) OVER (ORDER BY moment), 0),
    coalesce(sum(others) OVER (ORDER BY moment), 0)
FROM moment
QUALIFY stop IS NOT NULL;

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
)
SELECT $run, line.profile,
    CASE line.kind WHEN 'GPU stream' THEN line.kind ELSE 'CPU thread' END, line.points, line.start, line.stop, line.active,
    CASE WHEN line.kind <> 'GPU stream' THEN (
        SELECT CAST(10 * median(trace.duration) AS BIGINT)
        FROM trace JOIN line AS other ON other.profile = trace.profile AND other.kind <> 'GPU stream'
        WHERE trace.run = $run AND trace.context <> 0 AND trace.duration > 0
    ) END,
    line.kind <> 'GPU stream' AND launching.profile IS NOT NULL
FROM line
LEFT JOIN launching ON launching.profile = line.profile;

INSERT INTO cpu_time
SELECT $run, profile, context, CAST(sum(stop - start) AS BIGINT)
FROM cpu_interval
WHERE run = $run
GROUP BY profile, context;

INSERT INTO blame
WITH idle AS (
    SELECT row_number() OVER (ORDER BY start) AS number, start, stop, period FROM gpu_idle WHERE run = $run AND period <> 'after'
),
held AS (
    SELECT context, start, stop FROM launching_interval WHERE run = $run
),
change AS (
    SELECT start AS moment, 1 AS threads, 0 AS before, 0 AS between, 0 AS opened FROM held
    UNION ALL SELECT stop, -1, 0, 0, 0 FROM held
    UNION ALL SELECT start, 0, CAST(period = 'before' AS INTEGER), CAST(period = 'between' AS INTEGER), 1 FROM idle
    UNION ALL SELECT stop, 0, -CAST(period = 'before' AS INTEGER), -CAST(period = 'between' AS INTEGER), 0 FROM idle
),
moment AS (
    SELECT moment, sum(threads) AS threads, sum(before) AS before, sum(between) AS between, sum(opened) AS opened
    FROM change
    GROUP BY moment
),
piece AS (
    SELECT moment,
        lead(moment) OVER w - moment AS length,
        sum(threads) OVER w AS threads, sum(before) OVER w AS before, sum(between) OVER w AS between,
        sum(opened) OVER w AS number
    FROM moment
    WINDOW w AS (ORDER BY moment)
),
factor AS (
    SELECT piece.number, any_value(idle.stop - idle.start) / sum(piece.length) AS factor
    FROM piece JOIN idle ON idle.number = piece.number
    WHERE piece.threads > 0 AND piece.before + piece.between > 0 AND piece.length > 0
    GROUP BY piece.number
),
weight AS (
    SELECT piece.moment,
        sum(before * length / nullif(threads, 0)) OVER w AS before,
        sum(between * length / nullif(threads, 0)) OVER w AS between,
        sum(before * length / nullif(threads, 0) * factor) OVER w AS before_whole,
        sum(between * length / nullif(threads, 0) * factor) OVER w AS between_whole
    FROM piece
    LEFT JOIN factor ON factor.number = piece.number
    WINDOW w AS (ORDER BY piece.moment ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
share AS (
    SELECT held.context,
        coalesce(until.before, 0) - coalesce(since.before, 0) AS before,
        coalesce(until.between, 0) - coalesce(since.between, 0) AS between,
        coalesce(until.before_whole, 0) - coalesce(since.before_whole, 0) AS before_whole,
        coalesce(until.between_whole, 0) - coalesce(since.between_whole, 0) AS between_whole
    FROM held
    JOIN weight AS since ON since.moment = held.start
    JOIN weight AS until ON until.moment = held.stop
)
SELECT $run, period, context, sum(sampled), sum(duration)
FROM (
    SELECT 'before' AS period, context, before AS sampled, before_whole AS duration FROM share
    UNION ALL
    SELECT 'between', context, between, between_whole FROM share
)
GROUP BY period, context
HAVING sum(sampled) > 0;

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
