/*---
title: Imbalance of computation over ranks
unit: x
better: lower
definition: >-
  Largest cost of a rank's main thread outside MPI and outside functions that wait, over the mean
  over ranks: 1 is perfect balance. Elapsed time that came late is left out (see the metric
  cpu.late_share). Unlike the imbalance of all CPU cost, waiting does not hide it.
population: >-
  the lowest-numbered thread of each rank; calling contexts of functions called MPI_ or PMPI_,
  outermost ones at scope execution
needs: [cpu_event, profiles, ranks]
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
