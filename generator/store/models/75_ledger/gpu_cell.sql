/*---
about: >-
  All time of each GPU, each moment in one cell: when (idle_periods, and before the first operation), what runs there
  (kernel, both with a copy, copy that kernels wait for, apart on a stream without kernels, or passing, other, or idle), of
  idle time whether it is right after or before a copy that kernels wait for (beside), and how long the gap is: sampling
  (PC sampling may have made it), longest (of its iteration), launch (below 32 us) or other [ns].
---*/
WITH period AS MATERIALIZED (
    SELECT gpu.device, CASE told.start WHEN gpu.mean THEN gpu.start ELSE told.start END AS start, told.period,
        lead(CASE told.start WHEN gpu.mean THEN gpu.start ELSE told.start END, 1, 9223372036854775807)
            OVER (PARTITION BY gpu.device ORDER BY told.start NULLS FIRST) AS stop
    FROM begins_on_gpus AS gpu CROSS JOIN idle_periods AS told
),
level AS (
    SELECT level.device, level.start, level.stop, coalesce(period.period, first.period) AS period, coalesce(period.stop, first.stop) AS until,
        CASE WHEN kernels > 0 THEN CASE WHEN copies > 0 THEN 'both' ELSE 'kernel' END
            WHEN wait.stop > level.start THEN CASE WHEN wait.apart THEN 'copy apart' ELSE 'copy waited for' END
            WHEN copies > 0 THEN 'copy passing' ELSE 'other' END AS state
    FROM (FROM gpu_level WHERE kernels + copies + others > 0) AS level
    JOIN (FROM period WHERE start IS NULL) AS first ON first.device = level.device
    ASOF LEFT JOIN (FROM period WHERE start IS NOT NULL) AS period ON period.device = level.device AND period.start <= level.start
    ASOF LEFT JOIN copy_waits AS wait ON wait.device = level.device AND wait.start <= level.start
),
busy AS (
    SELECT device, period, state, sum(least(stop, until) - start) AS ns, count(*) AS number FROM level GROUP BY ALL
    UNION ALL
    SELECT level.device, period.period, level.state, sum(least(level.stop, period.stop) - period.start), 0
    FROM level JOIN period ON period.device = level.device AND period.start >= level.until AND period.start < level.stop
    WHERE level.stop > level.until GROUP BY ALL
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
SELECT device, period, state, 'none' AS beside, 'none' AS class, CAST(sum(ns) AS BIGINT) AS ns, CAST(sum(number) AS BIGINT) AS number
FROM busy GROUP BY device, period, state
UNION ALL
SELECT device, period, 'idle', beside, class, CAST(ns AS BIGINT), number FROM idle
