/*---
title: Results copied to the host in each iteration
better: neither
definition: >-
  Calling contexts of copies from the GPU to the host that run in at least every second steady
  iteration: how many per iteration, how long one takes, and for how long no GPU operation runs
  after it. A host that copies a result usually waits for it, and the GPU for the host after it.
population: >-
  complete iterations that are no warm-up; the first 20, by the idle time after them
needs: [gpu_trace, iterations]
source: traces
caveat: >-
  Whether the host waits for the copy is not recorded. Idle time after a copy may be the host's
  other work.
empty: no calling context copies to the host in at least every second iteration
columns:
  - {name: path, title: 'Call path', unit: text}
  - {name: copies, title: 'Copies per iteration', unit: '1'}
  - {name: median, title: 'Median', unit: s}
  - {name: idle, title: 'Idle after it, median', unit: s}
---*/
WITH steady AS MATERIALIZED (
    FROM steady_iterations
),
copy AS MATERIALIZED (
    SELECT enclosing.frame AS context, ran.duration, coalesce(gpu_gap.duration, 0) AS idle
    FROM gpu_operation AS ran
    JOIN gpu_context ON gpu_context.context = ran.context
    JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
    JOIN steady ON ran.start >= steady.start AND ran.start < steady.start + steady.duration
    LEFT JOIN gpu_gap ON gpu_gap.start = ran.start + ran.duration
    WHERE ran.operation = 'copy D2H'
),
usual AS MATERIALIZED (
    SELECT context, count(*) / (SELECT count(*) FROM steady) AS copies,
        median(duration) / 1e9 AS median, median(idle) / 1e9 AS idle
    FROM copy
    GROUP BY context
    HAVING 2 * count(*) >= (SELECT count(*) FROM steady)
)
SELECT coalesce(paths.path, 'a context that meta.db does not list') AS path, usual.copies, usual.median, usual.idle
FROM usual
LEFT JOIN call_paths((SELECT list(context) FROM usual)) AS paths ON paths.frame = usual.context
ORDER BY usual.copies * usual.idle DESC, usual.copies DESC, usual.context
LIMIT 20
