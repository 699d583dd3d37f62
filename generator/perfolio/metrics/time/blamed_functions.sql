/*---
name: blame
title: Functions that run while the GPU is idle
better: lower
definition: >-
  Idle time of the GPU within steady iterations by the functions in which launching threads were sampled
  meanwhile: gaps are shared by the samples taken in them, those shorter than ten periods of the samples
  by the samples in all gaps of like length. Time counts once for each
  function on the calling path, exclusive only for the innermost Python function, or the
  innermost function of a path without Python.
population: >-
  gaps in complete iterations that are no warm-up, or in the GPU span where no iterations were
  found; of several GPUs the mean, against threads of the same rank. Launching
  threads are CPU threads with a sample that shares at least half of the calling path of a GPU
  operation. The first 30
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps
caveat: >-
  A function that runs while the GPU is idle need not be the reason for it. Gaps without any
  sample are blamed on nobody. Exclusive time of a function of Python is that of the native code below it
  too. Where the profiler lost a frame of Python, its time counts for the function that called it: a
  function that hardly computes itself and has much exclusive time most likely has that of its callees.
empty: >-
  no launching thread was sampled while the GPU was idle, or fewer than 20 times where all gaps are shorter than the
  distance of samples
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: time, title: 'GPU idle time', unit: s}
  - {name: exclusive, title: 'Exclusive', unit: s}
  - {name: share, title: 'Share of GPU idle time', unit: ratio}
---*/
SELECT name AS "function", file, line, inclusive / 1e9 AS "time", exclusive / 1e9 AS exclusive,
    inclusive / recurring_idle() AS share
FROM functions_on_paths((
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, sum(blame.duration) AS spent
        FROM recurring_blame AS blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
        GROUP BY enclosing.frame
    )
))
ORDER BY inclusive DESC, exclusive DESC, key
LIMIT 30

/*---
name: blame_contexts
title: Calling contexts that run while the GPU is idle
better: lower
definition: >-
  Idle time of the GPU within steady iterations by the calling contexts in which launching threads were
  sampled meanwhile: gaps are shared by the samples taken in them, those shorter than ten periods of the
  samples by the samples in all gaps of like length. File and line are of
  the innermost frame of Python, or without Python of the innermost one that has a source file,
  with code of the program before installed code: what ran there most; a module stands where no
  source is known.
population: >-
  gaps in complete iterations that are no warm-up, or in the GPU span where no iterations were
  found; of several GPUs the mean, against threads of the same rank. Launching
  threads are CPU threads with a sample that shares at least half of the calling path of a GPU
  operation. Contexts of one function and caller are one; the first 30
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps
empty: >-
  no launching thread was sampled while the GPU was idle, or fewer than 20 times where all gaps are shorter than the
  distance of samples
columns:
  - {name: context, title: 'Context', unit: id}
  - {name: path, title: 'Calling path', unit: text}
  - {name: time, title: 'GPU idle time', unit: s}
  - {name: share, title: 'Share of GPU idle time', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH blamed AS (
    SELECT context, sum(duration) AS spent FROM recurring_blame GROUP BY context
),
top AS MATERIALIZED (
    SELECT enclosing.frame, sum(blamed.spent) AS spent,
        first(blamed.context ORDER BY blamed.spent DESC, blamed.context) AS largest
    FROM blamed
    JOIN enclosing_frame AS enclosing ON enclosing.context = blamed.context
    GROUP BY enclosing.frame
    ORDER BY spent DESC, enclosing.frame
    LIMIT 30
)
SELECT top.frame AS context, paths.path, top.spent / 1e9 AS "time",
    top.spent / recurring_idle() AS share,
    place.file, place.line, place.module
FROM top
JOIN call_paths((SELECT list(frame) FROM top)) AS paths ON paths.frame = top.frame
LEFT JOIN source_place AS place ON place.context = top.largest
ORDER BY top.spent DESC, top.frame

/*---
name: blame_focus
title: What the host does while the GPU is idle
better: lower
definition: >-
  The innermost function, in any language, that holds plainly more than half (55 %) of the GPU's idle time within steady
  iterations, and the innermost one below it that holds at least half of its time: the point from which on the time
  spreads. Where no function holds as much of the idle time, the path begins with the function that holds most of those
  with which calling paths begin, and goes on to the innermost function that holds 55 % of its time, and no less than the
  next of these. Of samples in native code, a function of Python around it that holds at most a third more is named. Time
  in which a thread waits for the GPU, in calls that synchronise, copy or free memory, or for another thread's backward pass, is
  nobody's. 95 % Wilson intervals, in whose upper ends idle time without any sample counts as the function's, too. Of the
  time of each, the share that samples taken in it account for, one period each: the rest is inferred from them.
population: >-
  as for the functions that run while the GPU is idle
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps, and the half of its hot path
caveat: >-
  Where the profiler lost frames of a calling path, the inner function gets less than it deserves.
empty: >-
  no launching thread was sampled while the GPU was idle, or fewer than 20 times where all gaps are shorter than the
  distance of samples; or such threads did nothing then but copy and wait
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: time, title: 'GPU idle time', unit: s}
  - {name: share, title: 'Share of GPU idle time', unit: ratio}
  - {name: time_low, title: 'GPU idle time, lower bound', unit: s}
  - {name: time_high, title: 'GPU idle time, upper bound', unit: s}
  - {name: share_low, title: 'Share of GPU idle time, lower bound', unit: ratio}
  - {name: share_high, title: 'Share of GPU idle time, upper bound', unit: ratio}
  - {name: covered, title: 'Sampled share of its time', unit: ratio}
---*/
WITH focus AS MATERIALIZED (
    FROM blame_focus
),
spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS duration, sum(blame.sampled) AS sampled
    FROM recurring_blame AS blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
    GROUP BY enclosing.frame
),
within AS (
    SELECT DISTINCT focus.position, path.target
    FROM blame_paths AS path JOIN focus ON focus.key = path.key
),
told AS (
    SELECT within.position, sum(spent.sampled) / nullif(sum(spent.duration), 0) AS covered
    FROM within JOIN spent ON spent.frame = within.target
    GROUP BY within.position
)
SELECT name AS "function", file, line, inclusive / 1e9 AS "time", inclusive / gaps AS share,
    low / 1e9 AS time_low, high / 1e9 AS time_high, low / gaps AS share_low, high / gaps AS share_high, told.covered
FROM focus LEFT JOIN told ON told.position = focus.position
ORDER BY focus.position

/*---
name: iteration_blame
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

/*---
name: functions
title: Thread time by function
better: neither
definition: >-
  Time for which CPU threads were seen in each function and in what it calls, recursive calls
  counted once; entry points left out.
population: >-
  CPU trace lines of all profiles; time summed over threads; the first 30
needs: [cpu_trace]
source: traces
caveat: >-
  A sample of CPU time stands for one period of it, or for the time before it too where the
  profile charges it with more than ten; no thread runs for longer than its CPU time where the
  profile tells it; by samples of elapsed time, waiting counts as well. The
  profiler loses samples: a CPU event of the profile is more exact where it was recorded. In a trace, most
  samples in the own code of a function of Python stand under its caller, so that it has too little time.
columns:
  - {name: name, title: 'Function', unit: text}
  - {name: time, title: 'Time', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT name, inclusive / 1e9 AS "time", inclusive / (SELECT sum(duration) FROM cpu_time) AS share
FROM functions_on_paths((
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, CAST(sum(cpu_time.duration) AS DOUBLE) AS spent
        FROM cpu_time JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
        GROUP BY enclosing.frame
    )
))
ORDER BY inclusive DESC, exclusive DESC, key
LIMIT 30

/*---
name: modules
title: Thread time by module
better: neither
definition: >-
  Time for which CPU threads were seen in the code of each module itself, not in what it calls.
population: >-
  CPU trace lines of all profiles; time summed over threads; the first 30
needs: [cpu_trace]
source: traces
caveat: >-
  A sample of CPU time stands for one period of it, or for the time before it too where the
  profile charges it with more than ten; no thread runs for longer than its CPU time where the
  profile tells it; by samples of elapsed time, waiting counts as well. The
  profiler loses samples: a CPU event of the profile is more exact where it was recorded. A sample
  in the interpreter of Python, or in compiled code of an extension, counts for that module here, and in CPU cost
  by module, always or in part, for the Python function that it ran or was called by, under <logical python>.
columns:
  - {name: name, title: 'Module', unit: text}
  - {name: time, title: 'Time', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
---*/
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(cpu_time.duration) AS spent
    FROM cpu_time JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
    GROUP BY enclosing.frame
),
-- Apart from the join: DuckDB 2.0 ends with an internal error on some stores of several runs.
module_of AS MATERIALIZED (
    SELECT frame, coalesce(parse_filename(module_path), 'unknown module') AS name FROM frame
)
SELECT name, sum(spent) / 1e9 AS "time", sum(spent) / sum(sum(spent)) OVER () AS share
FROM spent JOIN module_of ON module_of.frame = spent.frame
GROUP BY name
ORDER BY sum(spent) DESC, name
LIMIT 30
