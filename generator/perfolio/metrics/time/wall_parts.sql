/*---
title: Parts of the wall time
better: neither
definition: >-
  The wall time divided by what the GPU does: kernels, copies beside no kernel, other operations, and idle
  time. Where each rank has a GPU of its own, collectives beside no other kernel are apart, the mean over GPUs, those of
  the warm-up and waits for a late rank in them. Idle time is divided by when it begins (earlier work, start-up,
  warm-up, end of the run, and of outlying iterations what is beside their long wait), and that of all other
  iterations by what launching threads did: the function with the most telling part of it, anything else, or nothing
  that was sampled. The profiler's own calls are apart in all of them but before the first operation, and so are,
  where PC sampling was on, all other gaps of up to 5 ms, and, from 5 % on, time in which launched work waited on
  the only GPU (time.queued_share); beside that it is not told what threads did. Each moment counts once: see
  time.idle_parts.
population: >-
  from the first to the last trace point; GPU operations of all streams, of several GPUs the
  mean of their parts
needs: [cpu_trace, gpu_trace]
source: traces
caveat: >-
  Gaps are shared by the samples taken in them or in gaps of like length; the profiler loses some.
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the wall time', unit: ratio}
---*/
WITH waited AS (
    SELECT gap.period, gap.gap, sum(least(gap.stop, queued.stop) - greatest(gap.start, queued.stop - queued.queued)) AS waited
    FROM queued_idle AS queued JOIN idle_gaps AS gap ON gap.start < queued.stop AND gap.stop > queued.stop - queued.queued
    WHERE (SELECT sum(queued) FROM queued_idle) > 0.05 * (SELECT stop - start FROM cpu_trace_span)
    GROUP BY gap.period, gap.gap
),
told AS (
    SELECT parts.* REPLACE (
            -- What threads did is told of waiting and other idle time together: beside work that waited it is not told.
            if(waiting > 0, 0, profiler) AS profiler, if(waiting > 0, 0, focus) AS focus, if(waiting > 0, 0, elsewhere) AS elsewhere,
            idle * (1 - waiting) AS idle
        ), idle * waiting AS waited
    FROM (
        SELECT idle_parts.*, least(coalesce(waited.waited / nullif(idle_parts.idle, 0), 0), 1) AS waiting
        FROM idle_parts LEFT JOIN waited ON waited.period = idle_parts.period AND waited.gap = idle_parts.gap
    ) AS parts
),
idle AS MATERIALIZED (
    SELECT period, gap, waited, profiler, focus, elsewhere, idle - profiler AS host, idle - profiler - focus - elsewhere AS rest,
        bool_or(gap = 'short' AND profiler > 0) OVER () AS shared,
        bool_or(elsewhere > 0 AND gap <> 'short' AND period IN ('steady', 'outlier', 'last', 'between')) OVER () AS sampled
    FROM told
),
collective AS (
    SELECT CASE WHEN count(DISTINCT rank) = gpus()
        THEN coalesce(sum(stop - start) FILTER (WHERE collectives > 0 AND kernels = 0), 0) / gpus() ELSE 0 END AS amount
    FROM rank_levels
),
iterating AS (
    SELECT EXISTS (FROM iteration) AS iterates, (SELECT period FROM idle_periods WHERE start IS NULL) AS first,
        pc_sampled() AND NOT EXISTS (FROM blame) AS untold
),
part AS (
    SELECT CASE
            WHEN gap = 'short' THEN CASE WHEN shared THEN 'Other gaps that PC sampling may have made' ELSE 'Gaps that PC sampling may have made' END
            WHEN period = 'before' AND NOT iterates THEN 'GPU idle: before its first operation'
            WHEN period IN ('before', 'earlier work', 'start-up') THEN 'GPU idle: ' || if(period = 'before', first, period)
            WHEN period = 'end' THEN CASE WHEN iterates THEN 'GPU idle: end of the run' ELSE 'GPU idle: after its last operation' END
            WHEN period = 'warm-up' THEN 'GPU idle: warm-up'
            ELSE 'GPU idle: outlying iterations'
        END AS part, host AS amount
    FROM idle CROSS JOIN iterating
    WHERE gap = 'short' OR period IN ('before', 'earlier work', 'start-up', 'warm-up', 'end') OR period = 'outlier' AND gap <> 'wait'
    UNION ALL
    SELECT 'GPU idle: the profiler', profiler FROM idle
    UNION ALL
    SELECT 'GPU idle: launched work waited', waited FROM idle
    UNION ALL
    SELECT unnest([
        {
            'part': 'GPU idle: '
                || coalesce(focused.name || coalesce(' (' || parse_filename(focused.file) || ')', ''), 'some function'),
            'amount': idle.focus
        },
        {
            'part': if(focused.position IS NULL, 'GPU idle: between operations', 'GPU idle: host in other code'),
            'amount': idle.elsewhere
        },
        {'part': CASE
            WHEN iterating.untold THEN 'GPU idle: gaps longer than 5 ms'
            WHEN focused.position IS NULL AND idle.sampled OR idle.waited > 0 THEN 'GPU idle: between operations'
            ELSE 'GPU idle: host not sampled'
        END, 'amount': idle.rest}
    ], recursive := true)
    FROM idle
    CROSS JOIN iterating
    LEFT JOIN blame_focus AS focused ON focused.position = 1
    WHERE idle.gap <> 'short' AND (idle.period IN ('steady', 'last', 'between') OR idle.period = 'outlier' AND idle.gap = 'wait')
    UNION ALL
    SELECT unnest([
        {
            'part': if(collective.amount > 0, 'Kernels other than collectives', 'Kernels'),
            'amount': gpu_use.kernel_busy - collective.amount
        },
        {'part': 'Collectives beside no other kernel', 'amount': collective.amount},
        {'part': 'Copies beside no kernel', 'amount': gpu_use.copy_busy - gpu_use.overlap},
        {'part': 'Other GPU operations alone', 'amount': gpu_use.busy - gpu_use.kernel_busy - gpu_use.copy_busy + gpu_use.overlap}
    ], recursive := true)
    FROM gpu_use CROSS JOIN collective
)
SELECT part, sum(amount) / 1e9 AS "time", sum(amount) / (SELECT nullif(stop - start, 0) FROM cpu_trace_span) AS share
FROM part
GROUP BY part
HAVING sum(amount) > 0.5
ORDER BY sum(amount) DESC, part
