/*---
title: Waiting for the slowest rank
unit: ratio
better: lower
definition: >-
  Mean over ranks of the cost in MPI beyond that of the rank with the least, as a share of the
  largest cost of any rank's main thread. The rank that spends least in MPI is the one that the others wait
  for. Other costs than elapsed time stand still while a rank sleeps; there it is no more than what that
  rank spends outside of MPI beyond the mean, for else nothing shows that anybody waits for it.
population: >-
  the lowest-numbered thread of each rank; calling contexts of functions called MPI_ or PMPI_,
  outermost ones at scope execution
needs: [cpu_event, profiles, ranks]
source: >-
  the straggler wait of TraceLens (duration - minimum over ranks), over the whole run. The 95 % interval is
  that of sums of independent samples in MPI, each of which stands for the time since the one before it; by
  CPU time, for one period. There is none without a trace
caveat: >-
  With CPUTIME a wait that sleeps costs nothing, so MPI looks cheaper than it is; REALTIME counts all of it.
  The interval is of this run: another run may have another late rank.
empty: no function of MPI was sampled on the main threads of two ranks or more
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
