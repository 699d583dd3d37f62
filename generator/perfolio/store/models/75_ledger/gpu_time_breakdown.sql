/*---
name: gpu_cell
about: >-
  All time of each GPU, each moment in one cell: when (idle_periods, and before the first operation), what runs there
  (kernel, collective with no other kernel, kernel and collective, both with a copy, copy that kernels wait for, apart on a
  stream without kernels, or passing, other, or idle), of
  idle time whether it is right after or before a copy that kernels wait for (beside), and how long the gap is: sampling
  (PC sampling may have made it), longest (of its iteration), launch (below 32 us) or other [ns].
---*/
-- Neighbouring iterations of one kind are one period: a few of them are compared with each level.
WITH begun AS (
    SELECT gpu.device, CASE told.start WHEN gpu.mean THEN gpu.start ELSE coalesce(told.start, -9223372036854775807) END AS start, told.period
    FROM begins_on_gpus AS gpu CROSS JOIN idle_periods AS told
),
period AS MATERIALIZED (
    SELECT device, start, period, lead(start, 1, 9223372036854775807) OVER (PARTITION BY device ORDER BY start) AS stop
    FROM (FROM begun QUALIFY coalesce(lag(period) OVER (PARTITION BY device ORDER BY start) <> period, true))
),
collective AS (   -- how many collectives run on a GPU from each of their begins and ends on
    SELECT device, moment, sum(sum(step)) OVER (PARTITION BY device ORDER BY moment) AS running
    FROM (
        SELECT stream.device, unnest([kernel.start, kernel.stop]) AS moment, unnest([1, -1]) AS step
        FROM rank_kernels AS kernel JOIN gpu_stream AS stream ON stream.profile = kernel.profile WHERE kernel.is_collective
    )
    GROUP BY device, moment
),
ran AS (
    SELECT level.*, coalesce(collective.running, 0) AS collectives
    FROM gpu_level AS level ASOF LEFT JOIN collective ON collective.device = level.device AND collective.moment <= level.start
    WHERE level.device IN (SELECT device FROM collective)
    UNION ALL
    SELECT *, 0 FROM gpu_level WHERE device NOT IN (SELECT device FROM collective)
),
alone AS (   -- copies beside no kernel
    SELECT level.device, level.start, level.stop, CASE WHEN wait.stop > level.start THEN if(wait.apart, 'copy apart', 'copy waited for')
        ELSE 'copy passing' END AS state
    FROM (SELECT device, start, stop FROM gpu_level WHERE kernels = 0 AND copies > 0) AS level
    ASOF LEFT JOIN (SELECT device, start, stop, apart FROM copy_waits) AS wait ON wait.device = level.device AND wait.start <= level.start
),
busy AS (
    SELECT level.device, period.period,
        CASE WHEN copies > 0 THEN 'both' WHEN kernels = 0 THEN 'other' WHEN collectives = 0 THEN 'kernel'
            WHEN kernels = collectives THEN 'collective' ELSE 'kernel and collective' END AS state,
        sum(least(level.stop, period.stop) - greatest(level.start, period.start)) AS ns, count(*) FILTER (WHERE level.start >= period.start) AS number
    FROM ran AS level JOIN period ON period.device = level.device AND period.start < level.stop AND period.stop > level.start
    WHERE kernels > 0 OR copies = 0 AND others > 0 GROUP BY ALL
    UNION ALL
    SELECT alone.device, period.period, alone.state, sum(least(alone.stop, period.stop) - greatest(alone.start, period.start)),
        count(*) FILTER (WHERE alone.start >= period.start)
    FROM alone JOIN period ON period.device = alone.device AND period.start < alone.stop AND period.stop > alone.start GROUP BY ALL
),
idle AS (
    SELECT gap.device, gap.period,
        CASE WHEN earlier.device IS NOT NULL THEN 'after copy' WHEN later.device IS NOT NULL THEN 'before copy' ELSE 'none' END AS beside,
        CASE gap.gap WHEN 'short' THEN 'sampling' WHEN 'wait' THEN 'longest'
            ELSE if(gap.inside AND gap.duration < pow(10, 4.5), 'launch', 'other') END AS class,
        sum(gap.duration) AS ns, count(*) AS number
    FROM idle_gaps AS gap
    LEFT JOIN copy_waits AS earlier ON earlier.device = gap.device AND earlier.stop = gap.start AND earlier.free > earlier.stop
    LEFT JOIN copy_waits AS later ON later.device = gap.device AND later.start = gap.stop AND later.ready < later.start
    GROUP BY ALL
)
SELECT device, period, state, 'none' AS beside, 'none' AS class, CAST(ns AS BIGINT) AS ns, number FROM busy
UNION ALL
SELECT device, period, 'idle', beside, class, CAST(ns AS BIGINT), number FROM idle

/*---
name: kernel_class_steady
about: >-
  Complete iterations that are no warm-up by class of kernels: time on the clock of a GPU, the mean over GPUs, in which kernels of a class
  run, where kernels that run at the same time share it by their durations [ns], and its share of the iterations. No rows without steady
  iterations.
---*/
WITH told AS (
    SELECT sum(ns) FILTER (WHERE state IN ('kernel', 'collective', 'kernel and collective', 'both')) AS kernels, sum(ns) AS whole
    FROM gpu_cell WHERE period IN ('steady', 'outlier')
),
ran AS (
    SELECT kind.class, any_value(kind.moves) AS moves, sum(ran.duration) AS summed
    FROM gpu_operation AS ran
    JOIN kernel_class AS kind ON kind.context = ran.context
    CROSS JOIN steady_bounds AS steady
    WHERE ran.operation = 'kernel' AND ran.start >= steady.start AND ran.start < steady.stop
    GROUP BY kind.class
)
SELECT ran.class, ran.moves, ran.summed / sum(ran.summed) OVER () * told.kernels / gpus() AS ns,
    ran.summed / sum(ran.summed) OVER () * told.kernels / told.whole AS of_iteration
FROM ran CROSS JOIN told WHERE told.whole > 0
