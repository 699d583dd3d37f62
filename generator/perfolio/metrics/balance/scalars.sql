/*---
defaults:
  unit: ratio
  better: lower
  population: >-
    the lowest-numbered thread of each rank; calling contexts of functions called MPI_ or PMPI_,
    outermost ones at scope execution
  needs: [cpu_event, profiles, ranks]
  source: the profile's own statistics over ranks
  empty: no function of MPI was sampled on the main threads of two ranks or more
---*/

/*---
name: communication_efficiency
title: Communication efficiency
better: higher
definition: >-
  Cost outside MPI and outside functions that wait of the rank that has most of it, over the largest
  cost of any rank's main thread: what is left of the run if all ranks waited only for data and never for
  each other. Elapsed time that came late, in which a thread was held up, is outside MPI as well.
source: POP's communication efficiency, with sampled cost in place of traced time
caveat: >-
  With CPUTIME a wait that sleeps costs nothing, so MPI looks cheaper than it is; REALTIME counts all of it.
---*/
SELECT max(outside) / max(cost) AS value, count(*) AS n
FROM mpi_by_rank
HAVING count(*) > 0

/*---
name: computing_ranks
title: Imbalance of computation over ranks
unit: x
definition: >-
  Largest cost of a rank's main thread outside MPI and outside functions that wait, over the mean
  over ranks: 1 is perfect balance. Elapsed time that came late is left out (see the metric
  cpu.late_share). Unlike the imbalance of all CPU cost, waiting does not hide it.
source: >-
  the inverse of POP's load balance. The interval is 1.96 standard errors by the numbers of samples outside MPI of the rank
  that computes most, and of all, where a trace tells them
caveat: >-
  With CPUTIME a wait that sleeps costs nothing, so MPI looks cheaper than it is; REALTIME counts all of it.
empty: no function of MPI was sampled on the main threads of two ranks or more, or nothing outside of them
---*/
WITH counted AS (
    SELECT sample.profile, sum(sample.samples) AS samples
    FROM sampled_frame AS sample JOIN frame ON frame.frame = sample.frame AND frame.role = 'working'
    WHERE sample.frame NOT IN (SELECT frame FROM mpi_frame) GROUP BY sample.profile
),
ranks AS (
    SELECT mpi.computing, CASE cpu_event_of() WHEN 'elapsed_time' THEN counted.samples
        WHEN 'cpu_time' THEN mpi.computing / mpi.cost * line.active END AS samples
    FROM mpi_by_rank AS mpi
    JOIN main_threads AS main ON main.rank = mpi.rank
    LEFT JOIN trace_line AS line ON line.profile = main.profile
    LEFT JOIN counted ON counted.profile = main.profile
),
told AS (
    SELECT max(computing) / nullif(avg(computing), 0) AS value, count(*) AS n,
        sqrt(1 / arg_max(samples, computing) + sum(computing * computing / nullif(samples, 0)) / nullif(sum(computing), 0) ^ 2) AS error,
        count(samples) = count(*) AND min(samples) > 0 AS is_sampled
    FROM ranks HAVING count(*) > 0
)
SELECT value, CASE WHEN is_sampled THEN greatest(value * (1 - 1.96 * error), 1) END AS low,
    CASE WHEN is_sampled THEN least(value * (1 + 1.96 * error), n) END AS high, n
FROM told

/*---
name: computing_share
title: Computing, share of main threads
better: higher
definition: >-
  Cost of main threads outside MPI and outside functions that wait, without elapsed time that came late, over all their cost.
source: the model mpi_by_rank
---*/
SELECT sum(computing) / nullif(sum(cost), 0) AS value, count(*) AS n
FROM mpi_by_rank
HAVING count(*) > 0

/*---
name: mean_rank
title: Elapsed time of the mean rank
unit: s
definition: >-
  Mean over all ranks of the time that they spend in the outermost regions, waiting included: about how long the run is.
population: >-
  regions of call trees that hold statistics over ranks in place of values of each; own times of all regions where they hold nothing of what is below
needs: []
empty: the profile has no statistics over ranks by region
---*/
SELECT value FROM mean_rank

/*---
name: ranks
title: Imbalance over ranks
unit: x
definition: >-
  Largest CPU cost of a rank over the mean over ranks, waits included as far as they have a cost: 1 is perfect balance.
  If all of it were work that could be spread evenly, the slowest rank would take this many times less.
population: >-
  ranks that have any CPU cost (context 0 at scope execution of their profiles); ranks without
  samples do not count
source: max over mean, the inverse of POP's load balance
empty: fewer than two ranks have a CPU cost
---*/
SELECT max(cost) / avg(cost) AS value, count(*) AS n
FROM rank_costs
HAVING count(*) > 1

/*---
name: ranks_efficiency
title: Load balance over ranks
better: higher
definition: >-
  Mean CPU cost over ranks over the largest: 1 is perfect balance.
population: >-
  ranks that have any CPU cost (context 0 at scope execution of their profiles); ranks without
  samples do not count
source: POP's load balance
empty: fewer than two ranks have a CPU cost
---*/
SELECT avg(cost) / max(cost) AS value, count(*) AS n
FROM rank_costs
HAVING count(*) > 1

/*---
name: region_share
title: Slowest rank of one region, beyond the mean
definition: >-
  What the slowest rank of a region takes beyond the mean rank there, over the mean rank's time in the whole run; of the region that
  computes in which this is most. The run gets shorter by no more than that where the work of this region is divided evenly.
population: >-
  outermost regions in which no call of MPI and no wait is, of call trees that hold statistics over ranks in place of values of each;
  the mean is over all ranks
needs: []
caveat: Ranks that wait in no call of MPI that was recorded count as computing.
empty: the profile has no statistics over ranks by region
---*/
WITH computing AS (
    SELECT frame, caller, is_inclusive, largest - mean AS beyond FROM region_ranks WHERE does = 'computing'
)
SELECT max(beyond) / any_value(whole.value) AS value, count(*) AS n
FROM computing, (SELECT value FROM mean_rank) AS whole
WHERE beyond >= 0 AND NOT (is_inclusive AND caller IN (SELECT frame FROM computing))
HAVING count(*) > 0

/*---
name: straggler_wait
title: Waiting for the slowest rank
definition: >-
  Mean over ranks of the cost in MPI beyond that of the rank with the least, as a share of the
  largest cost of any rank's main thread. The rank that spends least in MPI is the one that the others wait
  for. Other costs than elapsed time stand still while a rank sleeps; there it is no more than what that
  rank spends outside of MPI beyond the mean, for else nothing shows that anybody waits for it.
source: >-
  the straggler wait of TraceLens (duration - minimum over ranks), over the whole run. The 95 % interval is
  that of sums of independent samples in MPI, each of which stands for the time since the one before it; by
  CPU time, for one period. There is none without a trace
caveat: >-
  With CPUTIME a wait that sleeps costs nothing, so MPI looks cheaper than it is; REALTIME counts all of it.
  The interval is of this run: another run may have another late rank.
---*/
WITH main AS (
    FROM main_threads WHERE rank IS NOT NULL
),
sampled AS (
    SELECT point.profile, sum(power(point.before / 1e9, 2)) AS squares
    FROM (
        SELECT profile, context, CAST("time" AS BIGINT) - lag(CAST("time" AS BIGINT)) OVER (PARTITION BY profile ORDER BY "time") AS before
        FROM trace
        WHERE profile IN (SELECT profile FROM main)
    ) AS point
    JOIN enclosing_frame AS enclosing ON enclosing.context = point.context
    WHERE enclosing.frame IN (SELECT frame FROM mpi_frame)
    GROUP BY point.profile
),
ranks AS (
    SELECT mpi.rank, mpi.cost, mpi.mpi,
        CASE cpu_event_of()
            WHEN 'elapsed_time' THEN CASE WHEN line.active > 0 THEN coalesce(sampled.squares, 0) END
            WHEN 'cpu_time' THEN mpi.mpi * mpi.cost / nullif(line.active, 0)
        END AS variance,
        row_number() OVER (ORDER BY mpi.mpi, mpi.rank) = 1 AS late, count(*) OVER () AS number
    FROM mpi_by_rank AS mpi
    JOIN main ON main.rank = mpi.rank
    LEFT JOIN trace_line AS line ON line.profile = main.profile AND line.kind = 'CPU thread'
    LEFT JOIN sampled ON sampled.profile = main.profile
),
found AS (
    SELECT avg(mpi) - min(mpi) AS wait, max(cost) AS longest, count(*) AS n,
        greatest(any_value(cost - mpi) FILTER (WHERE late) - avg(cost - mpi), 0) AS longer,
        1.96 * sqrt(sum(variance * power(CASE WHEN late THEN 1 ELSE 0 END - 1 / number, 2))) AS half,
        count(variance) = count(*) AS is_sampled
    FROM ranks
    HAVING count(*) > 0
)
SELECT value, CASE WHEN is_sampled AND value > 0 THEN greatest(value - half / longest, 0) END AS low,
    CASE WHEN is_sampled AND value > 0 THEN least(value + half / longest, 1) END AS high, n
FROM (
    SELECT *, CASE cpu_event_of() WHEN 'elapsed_time' THEN wait ELSE least(wait, longer) END / longest AS value
    FROM found
)

/*---
name: threads
title: Imbalance over threads that work
unit: x
definition: >-
  Largest work of a thread over the mean over the threads that work, of a run of ranks within the rank
  where they differ most: 1 is perfect balance. Work is CPU cost without waiting, without the runtime
  of a GPU and without elapsed time that came late (see the metric cpu.late_share). If it could be spread evenly, the busiest
  thread would have this many times less, given a core for each thread.
population: >-
  CPU threads with at least 1 % of the work of their process's busiest one, of ranks with so many samples
  per thread (2 ln(threads) / 0.25²) that chance alone does not give 1.25; of several ranks the one
  with the largest figure, so that ranks are not compared with each other. n counts its threads
needs: [cpu_event, profiles]
source: >-
  max over mean, the inverse of POP's load balance. Where the profile charges waits to Python (see the metric cpu.python_waits), the interval
  reaches as far as threads may have less work by those of them that their samples show: each all or none
caveat: >-
  Threads with different tasks (a main thread, helpers of a library) differ by design. Without a trace
  nothing tells how many samples a thread has.
empty: no rank has two threads that work and enough samples of them to tell imbalance from chance
---*/
SELECT imbalance AS value, imbalance_low AS low, imbalance_high AS high, threads AS n,
    CASE WHEN imbalance_low IS NOT NULL THEN 'with waits charged to Python' END AS "interval"
FROM thread_balance
ORDER BY value DESC, n DESC
LIMIT 1

/*---
name: threads_efficiency
title: Load balance over threads
better: higher
definition: >-
  Mean work of the threads that work over the largest, of a run of ranks within the rank where they
  differ most: 1 is perfect balance. Work is CPU cost without waiting, without the runtime of a GPU and
  without elapsed time that came late (see the metric cpu.late_share).
population: >-
  CPU threads with at least 1 % of the work of their process's busiest one, of ranks with so many samples
  per thread (2 ln(threads) / 0.25²) that chance alone does not give 1.25; of several ranks the one
  with the smallest figure
needs: [cpu_event, profiles]
source: >-
  POP's load balance. Where the profile charges waits to Python (see the metric cpu.python_waits), the interval
  reaches as far as threads may have less work by those of them that their samples show: each all or none
caveat: >-
  Threads with different tasks (a main thread, helpers of a library) differ by design. Without a trace
  nothing tells how many samples a thread has.
empty: no rank has two threads that work and enough samples of them to tell imbalance from chance
---*/
SELECT 1 / imbalance AS value, 1 / imbalance_high AS low, 1 / imbalance_low AS high, threads AS n,
    CASE WHEN imbalance_low IS NOT NULL THEN 'with waits charged to Python' END AS "interval"
FROM thread_balance
ORDER BY value, n DESC
LIMIT 1
