/*---
name: mpi_frame
about: >-
  Call frames of functions of MPI, also those that HPCToolkit wraps, and of all that they call; outermost is one that no
  other of them calls.
---*/
WITH RECURSIVE call AS (
    SELECT frame.frame, frame.caller
    FROM frame
    JOIN (SELECT DISTINCT key FROM frame WHERE name LIKE '%MPI\_%' ESCAPE '\' AND is_mpi_call(name)) AS called
        ON called.key = frame.key
),
inside AS (
    SELECT frame, caller FROM call
    UNION
    SELECT frame.frame, frame.caller FROM inside JOIN frame ON frame.caller = inside.frame
)
SELECT frame, caller NOT IN (SELECT frame FROM inside) AS outermost FROM inside

/*---
name: mpi_by_rank
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

/*---
name: rank_costs
about: >-
  CPU cost of each rank that has any, in the unit of the run's CPU event (context 0 at scope execution of its
  profiles), and the threads that have it.
---*/
SELECT profile.rank, count(*) AS threads, sum(profile_total.value) AS cost
FROM profile_total JOIN profile ON profile."index" = profile_total.profile
WHERE profile_total.name = cpu_event_of() AND profile_total.value > 0 AND profile.rank IS NOT NULL
GROUP BY profile.rank

/*---
name: region_ranks
about: >-
  Regions of a call tree that has statistics over ranks in place of values of each (kind of profile: ranks): how many ranks entered
  it, and the least, mean and largest elapsed time of a rank, with all that is below where is_inclusive. The mean is over all
  ranks. No row where ranks were recorded each for themselves.
when: FROM profile WHERE kind = 'ranks'
columns:
  frame: UINTEGER; The region, a call frame [id]
  caller: UINTEGER; What is around it [id]
  name: VARCHAR; What it is called [text]
  is_inclusive: BOOLEAN; Whether times hold what is below it
  entered: DOUBLE?; Ranks that entered it, where that is told [count]
  least: DOUBLE?; Of ranks that entered it [s]
  mean: DOUBLE?; Over all ranks [s]
  largest: DOUBLE?; Of ranks that entered it [s]
  does: >-
    VARCHAR; computing (no call of MPI and no wait is in it, nor below where is_inclusive), mpi (it is called by MPI or is a call of it),
    waiting, or both [text]
---*/
WITH RECURSIVE told AS (
    SELECT summary.context AS frame, metric.scope = 'execution' AS is_inclusive,
        max(value) FILTER (WHERE metric.formula = '1') AS entered, max(value) FILTER (WHERE metric.statistic = 'min') AS least,
        max(value) FILTER (WHERE metric.statistic = 'mean') AS mean, max(value) FILTER (WHERE metric.statistic = 'max') AS largest
    FROM summary JOIN metric ON metric.id = summary.metric
    WHERE metric.measure = 'elapsed_time' AND (metric.statistic <> 'sum' OR metric.formula = '1')
    GROUP BY summary.context, metric.scope
),
listed AS (
    SELECT frame.frame, frame.caller, frame.name, told.* EXCLUDE (frame)
    FROM told JOIN frame ON frame.frame = told.frame
    WHERE told.is_inclusive = (SELECT bool_or(is_inclusive) FROM told)
),
idle AS (SELECT frame FROM mpi_frame UNION SELECT frame FROM waiting_frame),
around AS (
    SELECT listed.frame, listed.caller FROM listed JOIN idle ON idle.frame = listed.frame
    UNION
    SELECT listed.frame, listed.caller FROM around JOIN listed ON listed.frame = around.caller
)
SELECT frame, caller, name, is_inclusive, entered, least, mean, largest,
    CASE WHEN frame IN (SELECT frame FROM mpi_frame) THEN 'mpi' WHEN frame IN (SELECT frame FROM idle) THEN 'waiting'
        WHEN is_inclusive AND frame IN (SELECT frame FROM around) THEN 'both' ELSE 'computing' END AS does
FROM listed

/*---
name: mean_rank
about: >-
  Elapsed time of the mean rank of a run with statistics over ranks [s]: means of the outermost regions, or of all where these do not hold
  what is below them. No row where no mean is told.
---*/
SELECT sum(mean) AS value FROM region_ranks
WHERE NOT is_inclusive OR caller NOT IN (SELECT frame FROM region_ranks)
HAVING sum(mean) > 0
