/*---
title: Functions that hold up iterations
better: lower
definition: >-
  A function in which launching threads were sampled while the GPU was idle within steady iterations, and
  those that it calls. Where more than 5 % of the time of iterations goes into the phase data, it is the
  outermost function that tells this phase; else the innermost one with at least half of the idle time, or of
  what the largest one has, Python functions before others. The first row is the innermost one of them
  with at least nine tenths of its time. Time counts once for each function on the calling path, exclusive only for the innermost Python
  function, or the innermost function of a path without Python.
population: >-
  idle time between operations in complete iterations that are no warm-up, or in the GPU span where no
  iterations were found; of several GPUs the mean. The first 30
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps
caveat: >-
  A function that runs while the GPU is idle need not be the reason for it.
empty: no launching thread was sampled in such a function
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: time, title: 'GPU idle time', unit: s}
  - {name: exclusive, title: 'Exclusive', unit: s}
  - {name: share, title: 'Share of that idle time', unit: ratio}
---*/
WITH whole AS MATERIALIZED (
    SELECT sum(duration) AS length,
        idle_of($run, 'steady') AS idle
    FROM steady_iterations($run)
),
spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS spent
    FROM blame_of($run, 'steady') AS blame
    JOIN enclosing_frames($run) AS enclosing ON enclosing.context = blame.context
    GROUP BY enclosing.frame
),
input AS MATERIALIZED (
    SELECT told.target, told.name, sum(spent.spent) OVER () > 0.05 * whole.length AS matters
    FROM phases_of($run, (SELECT list(frame) FROM spent)) AS told
    JOIN spent ON spent.frame = told.target
    CROSS JOIN whole
    WHERE told.phase = 'data'
),
path AS MATERIALIZED (
    SELECT path.target, path.key, path.frame, path.step, path.python,
        coalesce(regexp_replace(path.name, ' \[[^\]]*\]$', '') = input.name, false) AS tells
    FROM path_frames($run, (SELECT list(frame) FROM spent)) AS path
    LEFT JOIN input ON input.target = path.target AND input.matters
    WHERE path.lexical_type <> 'entry'
),
largest AS MATERIALIZED (
    SELECT key, python, step, inclusive
    FROM (
        SELECT one.key, one.python, avg(one.step) AS step, sum(spent.spent) AS inclusive
        FROM (SELECT target, key, python, min(step) AS step FROM path GROUP BY ALL) AS one
        JOIN spent ON spent.frame = one.target
        GROUP BY one.key, one.python
    )
    WHERE NOT EXISTS (FROM path WHERE tells)
    QUALIFY inclusive >= 0.5 * max(inclusive) OVER ()
    ORDER BY inclusive >= 0.5 * (SELECT idle FROM whole) DESC, python DESC, inclusive, step, key
    LIMIT 1
),
inside AS (
    SELECT *, max(step) FILTER (WHERE tells OR key IN (SELECT key FROM largest)) OVER (PARTITION BY target) AS reach
    FROM path
    QUALIFY step <= reach
),
reached AS (
    SELECT target, key, min(frame) AS frame, min(step) AS step, bool_or(python) AS python, bool_or(rank = 1) AS own
    FROM (SELECT *, row_number() OVER (PARTITION BY target ORDER BY python DESC, step) AS rank FROM inside)
    GROUP BY target, key
),
by_function AS (
    SELECT reached.key, min(reached.frame) AS frame, bool_or(reached.python) AS python, avg(reached.step) AS step,
        sum(spent.spent) AS inclusive, coalesce(sum(spent.spent) FILTER (WHERE reached.own), 0) AS exclusive
    FROM reached JOIN spent ON spent.frame = reached.target
    GROUP BY reached.key
)
SELECT frames.name AS "function", source_path(coalesce(file.path, frames.called_file)) AS file,
    CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line,
    by_function.inclusive / 1e9 AS "time", by_function.exclusive / 1e9 AS exclusive,
    by_function.inclusive / whole.idle AS share
FROM by_function
CROSS JOIN whole
JOIN frames($run) AS frames ON frames.frame = by_function.frame
LEFT JOIN function AS defined ON defined.run = $run AND defined.id = frames.function
LEFT JOIN file ON file.run = $run AND file.id = defined.file
ORDER BY by_function.key = (
        SELECT key FROM by_function
        WHERE inclusive >= 0.9 * (SELECT max(inclusive) FROM by_function)
        ORDER BY python DESC, inclusive, step, key LIMIT 1
    ) DESC, by_function.inclusive DESC, by_function.exclusive DESC, by_function.key
LIMIT 30
