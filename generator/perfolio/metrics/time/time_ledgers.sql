/*---
name: wall_parts
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

/*---
name: span_parts
title: Parts of the GPU span
better: neither
definition: >-
  The time from a GPU's first to its last operation divided by what the GPU does: kernels,
  copies beside no kernel, other operations, and gaps, long ones (more than 50 µs) apart. Where PC
  sampling was on, long ones are of more than 5 ms. Each moment counts once.
population: >-
  the GPU span, all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the GPU span', unit: ratio}
---*/
WITH gap AS (
    SELECT coalesce(sum(duration) FILTER (WHERE duration > longest), 0) / gpus() AS long,
        coalesce(sum(duration) FILTER (WHERE duration <= longest), 0) / gpus() AS short
    FROM gpu_gap CROSS JOIN (SELECT CASE WHEN pc_sampled() THEN 5e6 ELSE 5e4 END AS longest)
),
part AS (
    SELECT unnest([
        {
            'part': CASE WHEN pc_sampled() THEN 'GPU idle in gaps longer than 5 ms' ELSE 'GPU idle in gaps longer than 50 µs' END,
            'amount': CAST(gap.long AS DOUBLE)
        },
        {'part': CASE WHEN pc_sampled() THEN 'Gaps that PC sampling may have made' ELSE 'GPU idle in shorter gaps' END, 'amount': gap.short},
        {'part': 'Kernels', 'amount': gpu_use.kernel_busy},
        {'part': 'Copies beside no kernel', 'amount': gpu_use.copy_busy - gpu_use.overlap},
        {'part': 'Other GPU operations alone', 'amount': gpu_use.busy - gpu_use.kernel_busy - gpu_use.copy_busy + gpu_use.overlap}
    ], recursive := true)
    FROM gap JOIN gpu_use ON true
)
SELECT part, amount / 1e9 AS "time", amount / (SELECT span FROM gpu_use) AS share
FROM part
WHERE amount > 0
ORDER BY amount DESC, part

/*---
name: cpu_ledger
title: Elapsed time by what threads do
better: neither
definition: >-
  All time from the first trace point of a CPU thread to the last one, each moment in one part: some thread works; none
  works, and one or more that are due to work are late (they had no core, or the kernel or the profiler held them); all
  that are alive wait; none is alive. What passes before a thread's first sample is in none of its parts.
population: >-
  CPU threads of the trace, by samples of elapsed time; each of work stands for one punctual distance before it, as in the
  metric cpu.late_share
needs: [elapsed_time, cpu_event, cpu_trace, host_samples]
source: traces; the models cpu_stretch and cpu_wall
caveat: A thread that is held up and goes on before its next sample is due counts as working.
empty: the profile has CPU time, no thread has samples, or there are more than a million, too many to be put in one order here
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Elapsed', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: threads, title: 'Threads that work, on average', unit: threads}
---*/
SELECT CASE WHEN works > 0 THEN 'some thread works' WHEN late > 0 THEN 'threads are due and none works'
        WHEN waits > 0 THEN 'all threads wait' WHEN alive > 0 THEN 'no sample tells' ELSE 'no thread is alive' END AS part,
    sum(ns) / 1e9 AS "time", sum(ns) / sum(sum(ns)) OVER () AS share, sum(ns * works) / sum(ns) AS threads
FROM cpu_wall
WHERE cpu_event_of() = 'elapsed_time' AND (SELECT sum(active) FROM trace_line WHERE kind = 'CPU thread') <= 1000000
GROUP BY part
ORDER BY "time" DESC, part

/*---
name: gpu_ledger
title: All time of each GPU
better: neither
definition: >-
  All time of a GPU, each moment in one row: when, what ran there or that nothing did, whether idle time is right beside a copy
  that kernels wait for, and how long a gap it is in (launch: below 32 us; longest: of its iteration; sampling: up to 5 ms, which
  PC sampling may have made). The rows of a GPU sum to the wall time, or where no CPU thread was traced to the time
  from its first operation to its last one.
population: >-
  GPU operations of all streams and the time between them; the first 64 GPUs
needs: [gpu_trace]
source: traces; the model gpu_cell
columns:
  - {name: gpu, title: 'GPU', unit: id}
  - {name: period, title: 'When', unit: text}
  - {name: state, title: 'What runs', unit: text}
  - {name: beside, title: 'Beside', unit: text}
  - {name: gap, title: 'Gap', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the time of the GPU', unit: ratio}
  - {name: number, title: 'Intervals', unit: count}
---*/
SELECT device AS gpu, period, state, beside, class AS gap, ns / 1e9 AS "time", ns / sum(ns) OVER (PARTITION BY device) AS share, number
FROM gpu_cell
WHERE device < 64
ORDER BY device, ns DESC, period, state, beside, class
