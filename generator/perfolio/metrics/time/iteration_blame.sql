/*---
title: Functions that hold up iterations
better: lower
definition: >-
  A function in which launching threads were while the GPU was idle within steady iterations, and those that it calls,
  without time in which they wait for the GPU or for another thread's backward pass. Where more than 5 % of the time
  of iterations goes into the phase data, it is the outermost function that tells this phase, and the first row is the
  innermost one of them with at least nine tenths of its time; else it is the function in which the host mostly is
  (see the metric time.blame_focus), which is the first row. Time counts once for each function on the calling path,
  exclusive only for the innermost Python function, or the innermost function of a path without Python. The lead is of
  the first row: the lower end of its 95 % interval less the upper end of that of the largest function on other paths,
  as shares of the sampled time that goes into the phase data, or of all of it; where it is not above 0, samples do
  not tell which function has most.
population: >-
  idle time between operations in complete iterations that are no warm-up, or in the GPU span where no
  iterations were found; of several GPUs the mean. The first 30
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps
caveat: >-
  A function that runs while the GPU is idle need not be the reason for it. Intervals take samples as
  independent; idle time without any sample counts in their upper ends.
empty: >-
  no launching thread was sampled in such a function, or fewer than 20 times where all gaps are shorter than the
  distance of samples
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: time, title: 'GPU idle time', unit: s}
  - {name: exclusive, title: 'Exclusive', unit: s}
  - {name: share, title: 'Share of that idle time', unit: ratio}
  - {name: share_low, title: 'Share of that idle time, low', unit: ratio}
  - {name: share_high, title: 'Share of that idle time, high', unit: ratio}
  - {name: lead, title: 'Least lead over the next function', unit: ratio}
---*/
WITH whole AS MATERIALIZED (
    SELECT sum(duration) AS length,
        recurring_idle() AS idle
    FROM steady_iterations
),
spent AS MATERIALIZED (
    SELECT target AS frame, any_value(spent) AS spent FROM blame_paths GROUP BY target
),
input AS MATERIALIZED (
    SELECT told.frame AS target, told.phase_by AS name, sum(spent.spent) OVER () > 0.05 * whole.length AS matters
    FROM frame AS told
    JOIN spent ON spent.frame = told.frame
    CROSS JOIN whole
    WHERE told.phase = 'data'
),
path AS MATERIALIZED (
    SELECT path.target, path.key, path.frame, path.step, path.python,
        coalesce(regexp_replace(path.name, ' \[[^\]]*\]$', '') = input.name, false) AS tells
    FROM blame_paths AS path
    LEFT JOIN input ON input.target = path.target AND input.matters
),
largest AS MATERIALIZED (
    SELECT key FROM blame_focus WHERE position = 1 AND NOT EXISTS (FROM path WHERE tells)
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
),
first_one AS MATERIALIZED (
    SELECT key
    FROM by_function
    WHERE inclusive >= 0.9 * (SELECT max(inclusive) FROM by_function)
    ORDER BY key IN (FROM largest) DESC, python DESC, inclusive, step, key
    LIMIT 1
),
concerned AS MATERIALIZED (
    SELECT target, key, bool_or(key IN (FROM first_one)) OVER (PARTITION BY target) AS through
    FROM (SELECT DISTINCT target, key, bool_or(tells) OVER (PARTITION BY target) AS tells FROM path)
    WHERE tells OR NOT EXISTS (FROM path WHERE tells)
),
sampled AS (
    SELECT sum(spent.spent) AS duration, sum(spent.spent) FILTER (WHERE through) AS first_spent
    FROM (SELECT DISTINCT target, through FROM concerned) AS one JOIN spent ON spent.frame = one.target
),
other AS (
    SELECT coalesce(max(inclusive), 0) AS next_spent
    FROM (
        SELECT sum(spent.spent) AS inclusive
        FROM concerned JOIN spent ON spent.frame = concerned.target
        WHERE concerned.key NOT IN (SELECT key FROM concerned WHERE through)
        GROUP BY concerned.key
    )
),
lead AS (
    SELECT blame_low(first_spent / sampled.duration, total.n * sampled.duration / total.duration)
        - blame_high(next_spent / sampled.duration, total.n * sampled.duration / total.duration) AS lead
    FROM sampled CROSS JOIN other CROSS JOIN blame_total AS total
)
SELECT frames.name AS "function", source_path(coalesce(file.path, frames.called_file)) AS file,
    CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line,
    by_function.inclusive / 1e9 AS "time", by_function.exclusive / 1e9 AS exclusive,
    by_function.inclusive / whole.idle AS share,
    total.duration * blame_low(by_function.inclusive / total.duration, total.n) / whole.idle AS share_low,
    least(1, (
        total.duration * blame_high(by_function.inclusive / total.duration, total.n)
        + greatest(total.gaps - total.duration, 0)
    ) / whole.idle) AS share_high,
    CASE WHEN by_function.key IN (FROM first_one) THEN lead.lead END AS lead
FROM by_function
CROSS JOIN whole
CROSS JOIN blame_total AS total
CROSS JOIN lead
JOIN frame AS frames ON frames.frame = by_function.frame
LEFT JOIN function AS defined ON defined.id = frames.function
LEFT JOIN file ON file.id = defined.file
ORDER BY by_function.key IN (FROM first_one) DESC, by_function.inclusive DESC, by_function.exclusive DESC, by_function.key
LIMIT 30
