/*---
name: blame
about: >-
  Idle time of GPUs by the calling contexts in which launching threads of the same rank were sampled meanwhile:
  by the samples taken in a gap or, of one that is shorter than ten of their periods, in all gaps of like
  length. Of several GPUs the mean.
when: gpu_operation
made_by: insert_blame
columns:
  period: >-
    VARCHAR; When the gap begins: before the first GPU operation, earlier work and start-up (from there to the first iteration),
    warm-up, steady, outlier, last (the incomplete iteration), end (after it); between, in a run without
    iterations: see idle_periods [text]
  gap: >-
    VARCHAR; short (PC sampling may have made it), wait (the long wait of its iteration) or other: see
    idle_gaps [text]
  steady: "BOOLEAN; Whether it lies in iterations that statistics are made of: complete ones that are no warm-up"
  octave: >-
    TINYINT?; Of gaps that share their samples, the binary logarithm of their length in ns, rounded down; 9
    stands for all shorter ones, too. NULL of gaps that have ten periods or more, and before the first GPU
    operation [count]
  context: UINTEGER; Calling context of the CPU thread [id]
  sampled: DOUBLE; Idle time of the GPU that its samples account for, one period each, up to duration [ns]
  duration: >-
    DOUBLE; Idle time of the GPU that its samples stand for: the whole of the gaps in which, or in gaps like
    which, they were taken [ns]
  samples: >-
    DOUBLE; Samples that were taken while the GPU was idle; where several threads ran at once, each counts for
    one over their number [count]
  square: "DOUBLE; Sum of the squares of what each sample stands for: how unevenly samples stand for idle time [ns2]"
---*/

/*---
name: recurring_blame
about: >-
  Blame for idle time between GPU operations: of steady iterations where there are any, else of the whole
  run. Gaps shorter than the period of samples are blamed on nobody unless 20 samples were taken in them.
---*/
-- Start-up is longer than most iterations, and another program: what it does says nothing of what recurs.
-- A gap shorter than the period of samples has a sample now and then, which stands for all gaps of like length: a few
-- samples would put tens of milliseconds on whatever function they hit.
FROM blame
WHERE period <> 'before' AND (steady OR NOT EXISTS (FROM steady_iterations))
QUALIFY NOT coalesce(octave < floor(log2(launch_period())), false)
    OR sum(samples) FILTER (WHERE octave < floor(log2(launch_period()))) OVER () >= 20

/*---
name: recurring_idle
about: >-
  The idle time that recurring_blame shares out, sampled or not: of gaps that begin in steady iterations, or
  of all between GPU operations, the mean over GPUs; NULL without any [ns].
value: true
---*/
SELECT sum(duration) / gpus()
FROM idle_total WHERE inside AND (period IN ('steady', 'outlier') OR NOT EXISTS (FROM steady_iterations))

/*---
name: blame_total
about: >-
  Idle time of the GPU that is blamed on anything, how many samples a share of it rests on (n), and all such
  idle time (gaps): see recurring_blame [ns].
---*/
SELECT sum(duration) AS duration, equal_samples(sum(duration), sum(square)) AS n, recurring_idle() AS gaps FROM recurring_blame

/*---
name: blame_paths
about: >-
  The frames of the calling paths on which recurring_blame lies, from the frame itself (step 0) outwards, entry points left
  out, with the idle time at that frame (spent) and whether the function is one to name: none that waits, or that the GPU's
  runtime has to copy, set and free memory (gpu_wait). No path on which a thread waits for a GPU or for another thread:
  through functions that synchronise, copy or free memory, or within backward_waits [ns].
---*/
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS spent
    FROM recurring_blame AS blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context GROUP BY enclosing.frame
),
path AS MATERIALIZED (
    FROM path_frames((SELECT list(frame) FROM spent)) WHERE lexical_type <> 'entry'
),
told AS MATERIALIZED (
    SELECT key, gpu_wait(name) AS waits FROM (SELECT DISTINCT key, name FROM path) WHERE gpu_wait(name) IS NOT NULL
),
waiting AS (
    SELECT path.target FROM path JOIN told ON told.key = path.key WHERE told.waits IN ('synchronises', 'copies', 'frees')
    UNION
    SELECT frame FROM frame WHERE role = 'gpu wait' OR frame IN (FROM backward_waits)
)
SELECT path.target, path.key, path.frame, path.step, path.python, path.name, spent.spent,
    told.key IS NULL AND frame.role <> 'waiting' AS named
FROM path
JOIN spent ON spent.frame = path.target
JOIN frame ON frame.frame = path.frame
LEFT JOIN told ON told.key = path.key
WHERE path.target NOT IN (FROM waiting)

/*---
name: blame_focus
about: >-
  Where to look for the idle time of the GPU, on one path from the entry points inwards (blame_paths): the innermost
  function with plainly more than half of the idle time (55 %); where none has as much, of the functions with which paths
  begin the largest one, and in it the innermost one with 55 % of its time and no less than the next of these has. It is one
  to name (named), and of samples, where native code is innermost, the innermost function of Python around that with at
  most a third more time. The second row is the innermost function within it with at least half of its time.
  low and high are the ends of the 95 % interval of its time; idle time without any sample may be its, too, so high has it [ns].
---*/
WITH reached AS MATERIALIZED (
    SELECT target, key, min(step) AS step, min(frame) AS frame, bool_and(named) AS named, any_value(spent) AS spent
    FROM blame_paths GROUP BY target, key
),
holds AS (
    SELECT max(spent) >= 0.55 * recurring_idle() AS most FROM (SELECT sum(spent) AS spent FROM reached GROUP BY key)
),
-- The functions at the beginning of paths are siblings: the largest one, and the next.
beginning AS MATERIALIZED (
    SELECT arg_max(key, step) AS key, target FROM reached WHERE named GROUP BY target
),
largest AS MATERIALIZED (
    SELECT beginning.key, sum(reached.spent) AS spent, lead(sum(reached.spent), 1, 0) OVER (ORDER BY sum(reached.spent) DESC, beginning.key) AS next
    FROM beginning JOIN reached ON reached.key = beginning.key AND reached.target = beginning.target
    GROUP BY beginning.key ORDER BY sum(reached.spent) DESC, beginning.key LIMIT 1
),
candidate AS MATERIALIZED (
    SELECT reached.key, min(reached.frame) AS frame, sum(reached.spent) AS inclusive, avg(reached.step) AS step
    FROM reached
    JOIN beginning ON beginning.target = reached.target
    CROSS JOIN largest CROSS JOIN holds
    WHERE holds.most OR beginning.key = largest.key
    GROUP BY reached.key, largest.spent, largest.next, holds.most
    HAVING bool_and(reached.named) AND sum(reached.spent) >= CASE WHEN holds.most THEN 0.55 * recurring_idle()
        ELSE greatest(0.55 * largest.spent, largest.next) END
),
chosen AS MATERIALIZED (
    SELECT candidate.key, candidate.frame, candidate.inclusive
    FROM candidate JOIN frame AS frames ON frames.frame = candidate.frame
    WHERE candidate.inclusive * 0.75 <= (SELECT min(inclusive) FROM candidate)
    ORDER BY frames.python OR EXISTS (FROM host_stay) DESC,
        candidate.inclusive, candidate.step, candidate.key
    LIMIT 1
),
within AS (
    SELECT inner_one.key, min(inner_one.frame) AS frame, sum(inner_one.spent) AS inclusive
    FROM reached AS outer_one
    JOIN chosen ON chosen.key = outer_one.key
    JOIN reached AS inner_one ON inner_one.target = outer_one.target AND inner_one.step < outer_one.step AND inner_one.named
    GROUP BY inner_one.key HAVING sum(inner_one.spent) >= 0.5 * any_value(chosen.inclusive)
    ORDER BY inclusive, avg(inner_one.step), inner_one.key LIMIT 1
),
focus AS (
    SELECT 1 AS position, key, frame, inclusive FROM chosen
    UNION ALL
    SELECT 2, key, frame, inclusive FROM within
)
SELECT focus.position, focus.key, frames.name, source_path(coalesce(file.path, frames.called_file)) AS file,
    CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line, focus.inclusive,
    total.gaps, total.n,
    total.duration * blame_low(focus.inclusive / total.duration, total.n) AS low,
    total.duration * blame_high(focus.inclusive / total.duration, total.n)
        + greatest(total.gaps - total.duration, 0) AS high
FROM focus
CROSS JOIN blame_total AS total
JOIN frame AS frames ON frames.frame = focus.frame
LEFT JOIN function AS defined ON defined.id = frames.function
LEFT JOIN file ON file.id = defined.file

/*---
name: sampled_functions
about: >-
  For each of some gaps (number, device, start, stop) the innermost function in which, or in what it calls,
  threads that feed the GPU were sampled for plainly more than half of it (55 %): of Python, or the innermost
  function of a path without Python. Of a gap shorter than ten periods of the samples, the function that surely
  has more than half of all gaps of like length; no row where none has.
given: [gaps]
---*/
WITH RECURSIVE gap AS MATERIALIZED (
    SELECT one.*, idle.period, idle.gap,
        CASE WHEN one.stop - one.start < 10 * launch_period() THEN greatest(floor(log2(one.stop - one.start)), 9) END AS octave
    FROM (SELECT unnest(gaps, recursive := true)) AS one
    JOIN idle_gaps AS idle ON idle.device = one.device AND idle.start = one.start
),
taken AS (
    SELECT gap.number, held.context, CAST(0 AS DOUBLE) AS square,
        sum(
            greatest(least(held.stands, held.taken - gap.start) / launch_period(), 1)
            + greatest(least(held.taken, gap.stop) - greatest(held.start, gap.start), 0) / launch_period()
        ) AS spent
    FROM launching_samples AS held
    JOIN gap ON gap.octave IS NULL AND gap.device = held.device AND held.start < gap.stop AND held.taken >= gap.start
    GROUP BY gap.number, held.context
    UNION ALL
    SELECT gap.number, held.context, 0, sum(least(held.stop, gap.stop) - greatest(held.start, gap.start))
    FROM gap JOIN fed_gpus AS fed ON fed.device = gap.device
    JOIN cpu_interval AS held ON held.profile = fed.profile AND held.start < gap.stop AND held.stop > gap.start
    WHERE launch_period() IS NULL
    GROUP BY gap.number, held.context
    UNION ALL
    SELECT gap.number, blame.context, blame.square, blame.duration
    FROM gap JOIN blame ON blame.period = gap.period AND blame.gap = gap.gap AND blame.octave = gap.octave
),
spent AS MATERIALIZED (
    SELECT taken.number, enclosing.frame, sum(taken.spent) AS spent, sum(taken.square) AS square
    FROM taken JOIN enclosing_frame AS enclosing ON enclosing.context = taken.context GROUP BY taken.number, enclosing.frame
),
called AS MATERIALIZED (SELECT frame, caller, name, python FROM frame),
path AS (
    SELECT frame AS target, 0 AS step, * FROM called WHERE frame IN (SELECT frame FROM spent)
    UNION ALL
    SELECT path.target, path.step + 1, called.* FROM path JOIN called ON called.frame = path.caller
),
told AS MATERIALIZED (
    SELECT target, name, min(step) AS step, bool_or(python) AS python FROM path WHERE python OR step = 0 GROUP BY target, name
),
whole AS (
    SELECT number, sum(spent) AS whole, sum(square) AS square FROM spent GROUP BY number
),
most AS (
    SELECT spent.number, told.name, sum(spent.spent) AS part, any_value(whole.whole) AS whole, any_value(whole.square) AS square
    FROM spent JOIN told ON told.target = spent.frame JOIN whole ON whole.number = spent.number
    GROUP BY spent.number, told.name HAVING sum(spent.spent) >= 0.55 * any_value(whole.whole)
    QUALIFY row_number() OVER (
        PARTITION BY spent.number ORDER BY bool_or(told.python) DESC, sum(spent.spent), avg(told.step), told.name
    ) = 1
)
SELECT number, name FROM most WHERE square = 0 OR blame_low(part / whole, equal_samples(whole, square)) > 0.5

/*---
name: input_told
about: >-
  Whether functions can tell which of them prepare input: samples see all functions, source files and names of data
  loaders tell the phase data; of ranges that a program marks without these none does.
columns:
  told: BOOLEAN; Whether they can
---*/
SELECT EXISTS (FROM trace_line WHERE clock IN ('running', 'elapsed'))
    OR EXISTS (FROM file)
    OR EXISTS (FROM frame WHERE phase = 'data') AS told

/*---
name: idle_parts
about: >-
  All idle time of the GPU, each moment once, by period and gap as in idle_gaps, and what launching threads did
  meanwhile by their samples: the profiler's own calls (profiler_contexts), besides these the function of
  blame_focus (focus), and anything else (elsewhere); of several GPUs the mean [ns].
---*/
WITH blamed AS MATERIALIZED (
    SELECT blame.period, blame.gap, enclosing.frame, sum(blame.duration) AS spent,
        blame.context IN (SELECT context FROM profiler_contexts) AS own
    FROM blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context WHERE blame.period <> 'before' GROUP BY ALL
),
below AS (
    SELECT DISTINCT path.target
    FROM path_frames((SELECT list(DISTINCT frame) FROM blamed)) AS path
    JOIN blame_focus AS focus ON focus.position = 1 AND focus.name = path.name
),
told AS (
    SELECT period, gap, coalesce(sum(spent) FILTER (WHERE own), 0) AS profiler,
        coalesce(sum(spent) FILTER (WHERE NOT own AND frame IN (SELECT target FROM below)), 0) AS focus,
        coalesce(sum(spent) FILTER (WHERE NOT own AND frame NOT IN (SELECT target FROM below)), 0) AS elsewhere
    FROM blamed GROUP BY period, gap
)
SELECT idle.period, idle.gap, idle.first, idle.idle,
    least(coalesce(told.profiler, 0), idle.idle) AS profiler,
    least(coalesce(told.focus, 0), idle.idle) AS focus,
    least(coalesce(told.elsewhere, 0), idle.idle) AS elsewhere
FROM (SELECT period, gap, min(first) AS first, sum(duration) / gpus() AS idle FROM idle_total GROUP BY period, gap) AS idle
LEFT JOIN told ON told.period = idle.period AND told.gap = idle.gap
