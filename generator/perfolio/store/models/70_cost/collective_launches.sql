/*---
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
