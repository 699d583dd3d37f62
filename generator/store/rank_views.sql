-- Macros over several ranks: what they cost the CPU, and their kernels that meet in collective operations.
-- Times are BIGINT nanoseconds since the epoch; subtract before converting to DOUBLE.

CREATE MACRO rank_costs(r) AS TABLE
SELECT profile.rank, count(*) AS threads, sum(profile_total.value) AS cost
FROM profile_total
JOIN profile ON profile.run = r AND profile."index" = profile_total.profile
WHERE profile_total.run = r AND profile_total.name = cpu_event_of(r) AND profile_total.value > 0 AND profile.rank IS NOT NULL
GROUP BY profile.rank;
COMMENT ON MACRO TABLE rank_costs IS 'CPU cost of each rank that has any, in the unit of the run''s CPU event (context 0 at scope execution of its profiles), and the threads that have it.';

CREATE MACRO rank_kernels(r) AS TABLE
WITH collective AS (
    SELECT context FROM context_name WHERE run = r AND is_collective(function_name)
)
SELECT coalesce(profile.rank, 0) AS rank, operation.profile, operation.context,
    operation.start AS start, operation.start + operation.duration AS stop, collective.context IS NOT NULL AS is_collective
FROM gpu_operation AS operation
JOIN profile ON profile.run = r AND profile."index" = operation.profile
LEFT JOIN collective ON collective.context = operation.context
WHERE operation.run = r AND operation.operation = 'kernel' AND operation.duration > 0 AND EXISTS (FROM collective);
COMMENT ON MACRO TABLE rank_kernels IS 'Kernels of each rank, and which of them are of NCCL or RCCL; no row where none is [ns].';

CREATE MACRO rank_levels(r) AS TABLE
WITH change AS (
    SELECT rank, moment, sum(collectives) AS collectives, sum(kernels) AS kernels
    FROM (
        SELECT rank, start AS moment, CAST(is_collective AS INTEGER) AS collectives, CAST(NOT is_collective AS INTEGER) AS kernels FROM rank_kernels(r)
        UNION ALL
        SELECT rank, stop, -CAST(is_collective AS INTEGER), -CAST(NOT is_collective AS INTEGER) FROM rank_kernels(r)
    )
    GROUP BY rank, moment
),
level AS (
    SELECT rank, moment AS start, coalesce(lead(moment) OVER (PARTITION BY rank ORDER BY moment), moment) AS stop,
        sum(collectives) OVER upto AS collectives, sum(kernels) OVER upto AS kernels
    FROM change
    WINDOW upto AS (PARTITION BY rank ORDER BY moment)
)
SELECT rank, start, stop, collectives, kernels,
    coalesce(sum(stop - start) FILTER (WHERE kernels > 0) OVER (PARTITION BY rank ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
FROM level;
COMMENT ON MACRO TABLE rank_levels IS 'How many collective operations and how many other kernels run on the GPUs of a rank, from each begin or end of one to the next; and how long others ran before [ns].';

CREATE MACRO collectives_by_rank(r, part) AS TABLE
WITH phase AS (
    SELECT rank, min(start) AS start, max(stop) AS stop
    FROM (
        SELECT coalesce(gpu.rank, 0) AS rank, CASE part WHEN 'warm-up' THEN own.start ELSE phase.start END AS start, phase.stop
        FROM run_phases(r) AS phase
        JOIN gpu_phases(r) AS own ON own.phase = phase.phase
        JOIN gpu_device AS gpu ON gpu.run = r AND gpu.device = own.device
        WHERE phase.phase = part
    )
    GROUP BY rank
),
by_rank AS (
    SELECT level.rank, any_value(phase.stop - phase.start) AS length,
        coalesce(sum(least(level.stop, phase.stop) - greatest(level.start, phase.start)) FILTER (WHERE collectives > 0), 0) AS busy,
        coalesce(sum(least(level.stop, phase.stop) - greatest(level.start, phase.start)) FILTER (WHERE collectives > 0 AND kernels = 0), 0) AS exposed,
        coalesce(sum(least(level.stop, phase.stop) - greatest(level.start, phase.start)) FILTER (WHERE kernels > 0), 0) AS others
    FROM rank_levels(r) AS level
    JOIN phase ON phase.rank = level.rank AND level.start < phase.stop AND level.stop > phase.start
    GROUP BY level.rank
)
SELECT rank, busy, exposed, others, length - exposed - others AS rest, length FROM by_rank
WHERE (SELECT count(*) FROM by_rank) > 1 AND (SELECT sum(busy) FROM by_rank) > 0;
COMMENT ON MACRO TABLE collectives_by_rank IS 'In a phase of the run (see run_phases; a warm-up begins on each rank with its own first iteration): how long kernels of NCCL or RCCL ran on the GPUs of each rank, how much of it no other kernel ran there, how long others did, the rest of the phase, without any kernel, and all of it; no row where none was seen or there are fewer than two ranks [ns].';

CREATE MACRO late_rank(r) AS TABLE
SELECT rank, busy, exposed, others, rest, length FROM collectives_by_rank(r, 'steady state') ORDER BY busy, exposed, rank LIMIT 1;
COMMENT ON MACRO TABLE late_rank IS 'The rank with the least time in collective operations of the steady state, for which the others wait: its row of collectives_by_rank [ns].';

CREATE MACRO late_rank_kernels(r) AS TABLE
WITH late AS MATERIALIZED (FROM late_rank(r)),
of_rank AS (
    SELECT kernel.rank, coalesce(context_name.function_name, '<unknown kernel>') AS kernel,
        count(*) AS launches, avg(kernel.stop - kernel.start) AS duration
    FROM rank_kernels(r) AS kernel
    JOIN run_phases(r) AS phase ON phase.phase = 'steady state' AND kernel.start >= phase.start AND kernel.start < phase.stop
    LEFT JOIN context_name ON context_name.run = r AND context_name.context = kernel.context
    WHERE NOT kernel.is_collective
    GROUP BY ALL
),
usual AS (
    SELECT of_rank.kernel, median(of_rank.launches) AS launches, median(of_rank.duration) AS duration
    FROM of_rank JOIN late ON late.rank <> of_rank.rank
    GROUP BY of_rank.kernel
)
SELECT kernel, own.launches AS launches, own.duration AS duration, usual.launches AS usual_launches, usual.duration AS usual_duration
FROM (SELECT of_rank.* FROM of_rank JOIN late ON late.rank = of_rank.rank) AS own
FULL JOIN usual USING (kernel);
COMMENT ON MACRO TABLE late_rank_kernels IS 'Kernels other than collectives that begin in the steady state: launches and mean duration on the late rank (see late_rank) and, the median of them, on the other ranks; NULL where it has none [ns].';

CREATE MACRO collective_launches(r) AS TABLE
WITH steady AS (FROM steady_bounds(r)),
span AS (
    SELECT coalesce(steady.start, phase.start) AS start, coalesce(steady.stop, phase.stop) AS stop, nullif(steady.iterations, 0) AS iterations
    FROM steady CROSS JOIN run_phases(r) AS phase
    WHERE phase.phase = 'steady state'
),
moment AS MATERIALIZED (SELECT rank, start, before FROM rank_levels(r)),
shared AS (
    SELECT profile FROM rank_kernels(r) GROUP BY profile HAVING NOT bool_and(is_collective)
),
ran AS (
    SELECT kernel.rank, kernel.context, kernel.start, kernel.stop - kernel.start AS duration,
        (kernel.stop - kernel.start) - (ended.before - begun.before) AS exposed,
        shared.profile IS NOT NULL AS shared,
        row_number() OVER of_rank AS place, span.iterations,
        count(*) OVER (PARTITION BY kernel.rank) AS number
    FROM rank_kernels(r) AS kernel
    JOIN span ON kernel.start >= span.start AND kernel.start < span.stop
    JOIN moment AS begun ON begun.rank = kernel.rank AND begun.start = kernel.start
    JOIN moment AS ended ON ended.rank = kernel.rank AND ended.start = kernel.stop
    LEFT JOIN shared ON shared.profile = kernel.profile
    WHERE kernel.is_collective
    WINDOW of_rank AS (PARTITION BY kernel.rank ORDER BY kernel.start, kernel.stop)
)
SELECT rank, context, start, duration, exposed, shared,
    CASE WHEN number % iterations = 0 THEN number // iterations END AS of_iteration,
    CASE WHEN number % iterations = 0 THEN (place - 1) % (number // iterations) + 1 END AS place
FROM ran;
COMMENT ON MACRO TABLE collective_launches IS 'Kernels of NCCL or RCCL that begin in complete iterations after the warm-up, or in the steady state where there are none: how long each ran, how much of that beside no other kernel of its rank, whether other kernels run in its stream too, how many of them an iteration of its rank has and its place among these, both NULL where iterations differ [ns].';
