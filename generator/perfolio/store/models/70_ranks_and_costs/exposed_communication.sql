/*---
name: rank_kernels
about: >-
  Kernels of each rank, and which of them communicate (kernel_class); no row where none does. A process of unknown rank counts as rank 0
  [ns].
---*/
WITH communicating AS (
    SELECT context FROM kernel_class WHERE class = 'collective'
)
SELECT coalesce(profile.rank, 0) AS rank, operation.profile, operation.context,
    operation.start AS start, operation.start + operation.duration AS stop, communicating.context IS NOT NULL AS is_collective
FROM gpu_operation AS operation
JOIN profile ON profile."index" = operation.profile
LEFT JOIN communicating ON communicating.context = operation.context
WHERE operation.operation = 'kernel' AND operation.duration > 0 AND EXISTS (FROM communicating)

/*---
name: rank_levels
about: >-
  How many collective operations and how many other kernels run on the GPUs of a rank, from each begin or end of
  one to the next; and how long others ran before. A rank without kernels has no row [ns].
---*/
WITH change AS (
    SELECT rank, moment, sum(collectives) AS collectives, sum(kernels) AS kernels
    FROM (
        SELECT rank, start AS moment, CAST(is_collective AS INTEGER) AS collectives, CAST(NOT is_collective AS INTEGER) AS kernels FROM rank_kernels
        UNION ALL
        SELECT rank, stop, -CAST(is_collective AS INTEGER), -CAST(NOT is_collective AS INTEGER) FROM rank_kernels
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
    coalesce(sum(stop - start) FILTER (WHERE kernels > 0) OVER (
        PARTITION BY rank ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS before
FROM level

/*---
name: collectives_by_rank
about: >-
  In the warm-up and the steady state of the run (run_phases; a warm-up begins on each rank with its own
  first iteration): how long kernels that communicate ran on the GPUs of each rank, how much of it no other
  kernel ran there, how long others did, the rest of the phase, without any kernel, and all of it; no row
  where none was seen [ns].
---*/
WITH phase AS (
    SELECT phase.phase, coalesce(gpu.rank, 0) AS rank, max(phase.stop) AS stop,
        min(CASE phase.phase WHEN 'warm-up' THEN own.start ELSE phase.start END) AS start
    FROM run_phases AS phase
    JOIN gpu_phases AS own ON own.phase = phase.phase
    JOIN gpu_device AS gpu ON gpu.device = own.device
    WHERE phase.phase IN ('warm-up', 'steady state')
    GROUP BY ALL
),
held AS (
    SELECT phase.phase, level.rank, level.collectives, level.kernels, phase.stop - phase.start AS length,
        least(level.stop, phase.stop) - greatest(level.start, phase.start) AS spent
    FROM rank_levels AS level JOIN phase ON phase.rank = level.rank AND level.start < phase.stop AND level.stop > phase.start
),
by_rank AS (
    SELECT phase, rank, any_value(length) AS length,
        coalesce(sum(spent) FILTER (WHERE collectives > 0), 0) AS busy,
        coalesce(sum(spent) FILTER (WHERE collectives > 0 AND kernels = 0), 0) AS exposed,
        coalesce(sum(spent) FILTER (WHERE kernels > 0), 0) AS others
    FROM held GROUP BY phase, rank
)
SELECT phase, rank, busy, exposed, others, length - exposed - others AS rest, length
FROM by_rank
WINDOW of_phase AS (PARTITION BY phase)
QUALIFY sum(busy) OVER of_phase > 0

/*---
name: collective_launches
about: >-
  Kernels that communicate and begin in complete iterations after the warm-up, or in the steady state where
  there are none: how long each ran, how much of that beside no other kernel of its rank, whether other kernels
  run in its stream too, how many of them an iteration of its rank has and its place among these, both NULL
  where iterations differ [ns].
---*/
WITH steady AS (FROM steady_bounds),
span AS (
    SELECT coalesce(steady.start, phase.start) AS start, coalesce(steady.stop, phase.stop) AS stop, nullif(steady.iterations, 0) AS iterations
    FROM steady CROSS JOIN run_phases AS phase WHERE phase.phase = 'steady state'
),
moment AS MATERIALIZED (SELECT rank, start, before FROM rank_levels),
shared AS (
    SELECT profile FROM rank_kernels GROUP BY profile HAVING NOT bool_and(is_collective)
),
ran AS (
    SELECT kernel.rank, kernel.context, kernel.start, kernel.stop - kernel.start AS duration,
        (kernel.stop - kernel.start) - (ended.before - begun.before) AS exposed,
        shared.profile IS NOT NULL AS shared,
        row_number() OVER of_rank AS place, span.iterations,
        count(*) OVER (PARTITION BY kernel.rank) AS number
    FROM rank_kernels AS kernel
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
FROM ran
