/*---
name: late_rank
about: >-
  The rank with the least time in collective operations of the steady state, for which the others wait: its
  row of collectives_by_rank, how many others there are, and how much longer than their median it runs other
  kernels and no kernel, but no more than they are longer in collectives, for it is there that they wait (delay; NULL
  without others) [ns].
---*/
WITH used AS (FROM collectives_by_rank WHERE phase = 'steady state'), late AS (FROM used ORDER BY busy, exposed, rank LIMIT 1)
SELECT any_value(COLUMNS(late.* EXCLUDE (phase))), count(used.rank) AS n,
    least(
        greatest(any_value(late.others) - median(used.others), 0) + greatest(any_value(late.rest) - median(used.rest), 0),
        median(used.busy) - any_value(late.busy)
    ) AS delay
FROM late LEFT JOIN used ON used.rank <> late.rank HAVING count(*) > 0

/*---
name: late_rank_kernels
about: >-
  Kernels other than collectives that begin in the steady state: launches and mean duration on the late rank
  (see late_rank) and, the median of them, on the other ranks; NULL where it has none; no row where no other rank was recorded [ns].
---*/
WITH late AS MATERIALIZED (FROM late_rank),
of_rank AS (
    SELECT kernel.rank, coalesce(context_name.function_name, '<unknown kernel>') AS kernel,
        count(*) AS launches, avg(kernel.stop - kernel.start) AS duration
    FROM rank_kernels AS kernel
    JOIN run_phases AS phase ON phase.phase = 'steady state' AND kernel.start >= phase.start AND kernel.start < phase.stop
    LEFT JOIN context_name ON context_name.context = kernel.context
    WHERE NOT kernel.is_collective
    GROUP BY ALL
),
usual AS (
    SELECT of_rank.kernel, median(of_rank.launches) AS launches, median(of_rank.duration) AS duration
    FROM of_rank JOIN late ON late.rank <> of_rank.rank GROUP BY of_rank.kernel
)
SELECT kernel, own.launches AS launches, own.duration AS duration, usual.launches AS usual_launches, usual.duration AS usual_duration
FROM (SELECT of_rank.* FROM of_rank JOIN late ON late.rank = of_rank.rank) AS own FULL JOIN usual USING (kernel)
WHERE EXISTS (FROM usual)
