/*---
about: >-
  CPU cost of each rank's main thread, the part of it in calls of MPI (also those that HPCToolkit wraps), the
  part in functions that wait outside of them (is_waiting), and the rest, outside: of it what came late
  (late_cost.beyond) and computing, as in thread_work; no row where fewer than two ranks have a cost or none was
  sampled in MPI. Functions of MPI that others call do not count twice.
---*/
WITH RECURSIVE main AS (
    FROM main_threads WHERE rank IS NOT NULL
),
calls AS MATERIALIZED (
    SELECT frames.frame, frames.caller, regexp_matches(frames.name, '^(hpcrun_)?P?MPI_[A-Z]') AS is_mpi,
        is_waiting(frames.module_path, frames.name) AS waits
    FROM frame AS frames
),
inside AS (
    SELECT frame, caller FROM calls WHERE is_mpi
    UNION
    SELECT calls.frame, calls.caller FROM inside JOIN calls ON calls.caller = inside.frame
),
counted AS (
    SELECT frame, 'execution' AS scope FROM inside WHERE caller NOT IN (SELECT frame FROM inside)
    UNION ALL
    SELECT frame, 'function' FROM calls WHERE waits AND frame NOT IN (SELECT frame FROM inside)
),
spent AS (
    SELECT value.profile, sum(value.value) FILTER (WHERE counted.scope = 'execution') AS mpi,
        sum(value.value) FILTER (WHERE counted.scope = 'function') AS waiting
    FROM value
    JOIN metric ON metric.id = value.metric
    JOIN counted ON counted.frame = value.context AND counted.scope = metric.scope
    WHERE metric.measure = cpu_event_of()
    GROUP BY value.profile
),
held AS (
    SELECT late.profile, sum(late.beyond) AS late
    FROM late_cost AS late JOIN calls ON calls.frame = late.frame
    WHERE NOT calls.waits AND late.frame NOT IN (SELECT frame FROM inside)
    GROUP BY late.profile
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
FROM by_rank
WHERE (SELECT count(*) FROM by_rank) > 1 AND (SELECT sum(mpi) FROM by_rank) > 0
