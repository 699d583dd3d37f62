/*---
title: Parts of the wall time
better: neither
definition: >-
  The wall time divided by what the GPU does: kernels, copies beside no kernel, other
  operations, and idle time before, between and after operations. Idle time between operations
  is divided by what launching threads did meanwhile: the profiler's own calls, besides these the
  function with the most telling part of it, anything else, or nothing that was sampled. Each
  moment counts once.
population: >-
  from the first to the last trace point; GPU operations of all streams, of several GPUs the
  mean of their parts
needs: [cpu_trace, gpu_trace]
source: HPCToolkit's traces
caveat: >-
  Gaps are shared by the samples taken in them or in gaps of like length; the profiler loses some.
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the wall time', unit: ratio}
---*/
WITH wall AS (
    SELECT start, stop FROM cpu_trace_span WHERE run = $run
),
idle AS (
    SELECT coalesce(sum(stop - start) FILTER (WHERE period = 'before'), 0) / gpus($run) AS before,
        coalesce(sum(stop - start) FILTER (WHERE period = 'between'), 0) / gpus($run) AS between,
        coalesce(sum(stop - start) FILTER (WHERE period = 'after'), 0) / gpus($run) AS after
    FROM gpu_idle WHERE run = $run
),
blamed AS (
    SELECT least(coalesce(sum(blame.duration), 0), any_value(idle.between)) AS amount
    FROM idle LEFT JOIN blame ON blame.run = $run AND blame.period = 'between'
),
own AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS spent
    FROM blame JOIN enclosing_frames($run) AS enclosing ON enclosing.context = blame.context
    WHERE blame.run = $run AND blame.period = 'between' AND blame.context IN (SELECT context FROM profiler_contexts($run))
    GROUP BY enclosing.frame
),
below AS (
    SELECT DISTINCT path.target
    FROM path_frames($run, (SELECT list(frame) FROM own)) AS path
    JOIN blame_focus($run) AS focus ON focus.position = 1 AND focus.name = path.name
),
profiler AS (
    SELECT least(coalesce(sum(own.spent), 0), any_value(blamed.amount)) AS amount,
        coalesce(sum(own.spent) FILTER (WHERE own.frame IN (SELECT target FROM below)), 0) AS below
    FROM blamed LEFT JOIN own ON true
),
focus AS (
    SELECT any_value(name) AS name, any_value(file) AS file,
        greatest(least(coalesce(sum(inclusive), 0) - any_value(profiler.below), any_value(blamed.amount - profiler.amount)), 0) AS amount
    FROM blamed CROSS JOIN profiler LEFT JOIN blame_focus($run) AS focus ON focus.position = 1
),
part AS (
    SELECT unnest([
        {'part': 'GPU idle: before its first operation', 'amount': CAST(idle.before AS DOUBLE)},
        {'part': 'GPU idle: ' || coalesce(focus.name || coalesce(' (' || parse_filename(focus.file) || ')', ''), 'some function'), 'amount': focus.amount},
        {'part': 'GPU idle: host elsewhere', 'amount': blamed.amount - profiler.amount - focus.amount},
        {'part': 'GPU idle: the profiler', 'amount': profiler.amount},
        {'part': 'GPU idle: host not sampled', 'amount': idle.between - blamed.amount},
        {'part': 'GPU idle: after its last operation', 'amount': idle.after},
        {'part': 'Kernels', 'amount': gpu_use.kernel_busy},
        {'part': 'Copies beside no kernel', 'amount': gpu_use.copy_busy - gpu_use.overlap},
        {'part': 'Other GPU operations alone', 'amount': gpu_use.busy - gpu_use.kernel_busy - gpu_use.copy_busy + gpu_use.overlap}
    ], recursive := true)
    FROM idle
    CROSS JOIN blamed
    CROSS JOIN profiler
    CROSS JOIN focus
    JOIN gpu_use ON gpu_use.run = $run
)
SELECT part, amount / 1e9 AS "time", amount / (SELECT nullif(stop - start, 0) FROM wall) AS share
FROM part
WHERE amount > 0.5
ORDER BY amount DESC, part
