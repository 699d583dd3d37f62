/*---
about: >-
  CPU cost of each rank's main thread, the part of it in calls of MPI (also those that HPCToolkit wraps), the
  part in functions that wait outside of them (is_waiting), and the rest, outside: of it what came late
  (late_cost.beyond) and computing, as in thread_work; no row where fewer than two ranks have a cost or none was
  sampled in MPI. Functions of MPI that others call do not count twice.
---*/
WITH main AS (
    FROM main_threads WHERE rank IS NOT NULL
),
counted AS (
    SELECT frame, 'execution' AS scope FROM mpi_frame WHERE outermost
    UNION ALL
    SELECT frame, 'function' FROM waiting_frame WHERE frame NOT IN (SELECT frame FROM mpi_frame)
),
valued AS MATERIALIZED (
    SELECT value.profile, value.context AS frame, value.value, metric.scope
    FROM value JOIN metric ON metric.id = value.metric
    WHERE metric.measure = cpu_event_of() AND metric.scope IN ('execution', 'function')
        AND value.profile IN (SELECT profile FROM main)
),
spent AS (
    SELECT valued.profile, sum(valued.value) FILTER (WHERE counted.scope = 'execution') AS mpi,
        sum(valued.value) FILTER (WHERE counted.scope = 'function') AS waiting
    FROM valued JOIN counted ON counted.frame = valued.frame AND counted.scope = valued.scope GROUP BY valued.profile
),
held AS (
    SELECT profile, sum(beyond) AS late
    FROM late_cost
    WHERE profile IN (SELECT profile FROM main) AND frame NOT IN (SELECT frame FROM waiting_frame)
        AND frame NOT IN (SELECT frame FROM mpi_frame)
    GROUP BY profile
),
by_rank AS (
    SELECT main.rank, coalesce(held.late, 0) AS held, profile_total.value AS cost, least(coalesce(spent.mpi, 0), profile_total.value) AS mpi,
        least(coalesce(spent.waiting, 0), profile_total.value - least(coalesce(spent.mpi, 0), profile_total.value)) AS waiting
    FROM main
    JOIN profile_total ON profile_total.profile = main.profile
    LEFT JOIN spent ON spent.profile = main.profile
    LEFT JOIN held ON held.profile = main.profile
    WHERE profile_total.name = cpu_event_of() AND profile_total.value > 0
)
SELECT rank, cost, mpi, waiting, cost - mpi - waiting AS outside, least(held, cost - mpi - waiting) AS late,
    cost - mpi - waiting - least(held, cost - mpi - waiting) AS computing
FROM by_rank WHERE (SELECT count(*) FROM by_rank) > 1 AND (SELECT sum(mpi) FROM by_rank) > 0
