/*---
title: Parts of the wall time
better: neither
definition: >-
  The wall time divided by what the GPU does: kernels, copies beside no kernel, other
  operations, and idle time before, between and after operations. Where each rank has a GPU of its own,
  collectives beside no other kernel are apart, waits for a late rank in them. Idle time between operations
  is divided by what launching threads did meanwhile: the profiler's own calls, besides these the
  function with the most telling part of it, anything else, or nothing that was sampled. Where PC
  sampling was on, gaps of up to 5 ms are apart, and what is left is divided only where it is most of
  the idle time. Each moment counts once.
population: >-
  from the first to the last trace point; GPU operations of all streams, of several GPUs the
  mean of their parts
needs: [cpu_trace, gpu_trace]
source: HPCToolkit's traces
caveat: >-
  Gaps are shared by the samples taken in them or in gaps of like length; the profiler loses some.
  Gaps that PC sampling may have made are taken from the profiler's calls first, and from the named
  function last.
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
    FROM idle LEFT JOIN blame ON blame.run = $run AND blame.period <> 'before'
),
own AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS spent
    FROM blame JOIN enclosing_frames($run) AS enclosing ON enclosing.context = blame.context
    WHERE blame.run = $run AND blame.period <> 'before' AND blame.context IN (SELECT context FROM profiler_contexts($run))
    GROUP BY enclosing.frame
),
below AS (
    SELECT DISTINCT path.target
    FROM path_frames($run, (SELECT list(frame) FROM own)) AS path
    JOIN blame_focus($run, 'run') AS focus ON focus.position = 1 AND focus.name = path.name
),
profiler AS (
    SELECT least(coalesce(sum(own.spent), 0), any_value(blamed.amount)) AS amount,
        coalesce(sum(own.spent) FILTER (WHERE own.frame IN (SELECT target FROM below)), 0) AS below
    FROM blamed LEFT JOIN own ON true
),
focus AS (
    SELECT any_value(name) AS name, any_value(file) AS file,
        greatest(least(coalesce(sum(inclusive), 0) - any_value(profiler.below), any_value(blamed.amount - profiler.amount)), 0) AS amount
    FROM blamed CROSS JOIN profiler LEFT JOIN blame_focus($run, 'run') AS focus ON focus.position = 1
),
short AS (
    SELECT coalesce(sum(duration), 0) / gpus($run) AS amount FROM sampling_gaps($run)
),
long AS (
    SELECT greatest(idle.between - short.amount, 0) AS amount, short.amount = 0 OR short.amount < 0.5 * idle.between AS told
    FROM idle CROSS JOIN short
),
named AS (
    SELECT profiler, elsewhere, amount, long - profiler - elsewhere - amount AS rest
    FROM (
        SELECT long.amount AS long, CASE WHEN long.told THEN greatest(profiler.amount - short.amount, 0) ELSE 0 END AS profiler,
            CASE WHEN long.told THEN least(focus.amount, long.amount) ELSE 0 END AS amount,
            CASE WHEN long.told THEN greatest(least(
                blamed.amount - profiler.amount - focus.amount,
                long.amount - least(focus.amount, long.amount) - greatest(profiler.amount - short.amount, 0)
            ), 0) ELSE 0 END AS elsewhere
        FROM long CROSS JOIN short CROSS JOIN profiler CROSS JOIN focus CROSS JOIN blamed
    )
),
collective AS (
    SELECT CASE WHEN count(DISTINCT rank) = gpus($run)
        THEN coalesce(sum(stop - start) FILTER (WHERE collectives > 0 AND kernels = 0), 0) / gpus($run) ELSE 0 END AS amount
    FROM rank_levels($run)
),
part AS (
    SELECT unnest([
        {'part': 'GPU idle: before its first operation', 'amount': CAST(idle.before AS DOUBLE)},
        {'part': 'GPU idle: ' || coalesce(focus.name || coalesce(' (' || parse_filename(focus.file) || ')', ''), 'some function'), 'amount': named.amount},
        {'part': 'GPU idle: host elsewhere', 'amount': named.elsewhere},
        {'part': 'GPU idle: the profiler', 'amount': named.profiler},
        {'part': CASE WHEN long.told THEN 'GPU idle: host not sampled' ELSE 'GPU idle: gaps longer than 5 ms' END, 'amount': named.rest},
        {'part': 'Gaps that PC sampling may have made', 'amount': short.amount},
        {'part': 'GPU idle: after its last operation', 'amount': idle.after},
        {'part': CASE WHEN collective.amount > 0 THEN 'Kernels other than collectives' ELSE 'Kernels' END, 'amount': gpu_use.kernel_busy - collective.amount},
        {'part': 'Collectives beside no other kernel', 'amount': collective.amount},
        {'part': 'Copies beside no kernel', 'amount': gpu_use.copy_busy - gpu_use.overlap},
        {'part': 'Other GPU operations alone', 'amount': gpu_use.busy - gpu_use.kernel_busy - gpu_use.copy_busy + gpu_use.overlap}
    ], recursive := true)
    FROM idle
    CROSS JOIN focus
    CROSS JOIN short
    CROSS JOIN long
    CROSS JOIN named
    CROSS JOIN collective
    JOIN gpu_use ON gpu_use.run = $run
)
SELECT part, amount / 1e9 AS "time", amount / (SELECT nullif(stop - start, 0) FROM wall) AS share
FROM part
WHERE amount > 0.5
ORDER BY amount DESC, part
