/*---
name: start_up_parts
title: Parts of the start-up
better: lower
definition: >-
  The time before the first iteration, or before the first GPU operation where no iterations
  were found: before GPU initialisation, in it by the function that tells it, between and after
  it up to the first GPU operation, and from there on. Each moment counts once.
population: >-
  from the first trace point; launching threads; of several GPUs the mean of when each begins its first operation
  and its first iteration, and GPU initialisation while any rank does so (see time.gpu_initialisation)
needs: [cpu_trace, gpu_trace, launching]
source: traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  The time between two samples of a thread is told by the later one.
empty: the run begins with its first iteration
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the start-up', unit: ratio}
---*/
WITH phase AS (
    SELECT phase.start, phase.stop, least(phase.stop, greatest(phase.start, gpu.first)) AS first -- earlier work is no start-up
    FROM run_phases AS phase
    CROSS JOIN (
        SELECT any_value(span.start) + CAST(avg(gpu.start - span.start) AS BIGINT) AS first
        FROM gpu_device AS gpu CROSS JOIN gpu_span AS span
    ) AS gpu
    WHERE phase.phase = 'start-up'
),
touched AS MATERIALIZED (
    SELECT * FROM gpu_start
),
part AS (
    SELECT 'GPU initialisation: ' || short_name(name) AS part, min(start) AS start, sum(stop - start) AS spent FROM touched GROUP BY short_name(name)
    UNION ALL
    SELECT CASE WHEN (SELECT count(*) FROM touched) > 0 THEN 'Before GPU initialisation' ELSE 'Before the first GPU operation' END,
        start, coalesce((SELECT min(start) FROM touched), first) - start
    FROM phase
    UNION ALL
    SELECT 'Otherwise before the first GPU operation', touched.rest, phase.first - touched.start - touched.initialised
    FROM phase CROSS JOIN (
        SELECT min(start) AS start, min(stop) FILTER (WHERE following IS DISTINCT FROM stop) AS rest, sum(stop - start) AS initialised
        FROM (SELECT start, stop, lead(start) OVER (ORDER BY start) AS following FROM touched)
    ) AS touched
    UNION ALL
    SELECT 'From the first GPU operation to the first iteration', first, stop - first FROM phase
)
SELECT part, (part.start - span.start) / 1e9 AS start, spent / 1e9 AS "time", spent / (SELECT stop - start FROM phase) AS share
FROM part CROSS JOIN (SELECT start FROM traced_span) AS span
WHERE spent > 0 AND (SELECT count(*) FROM phase) > 0
ORDER BY part.start, part

/*---
name: start_up_functions
title: Functions that run during start-up
better: lower
definition: >-
  What launching threads were in before the first iteration, or before the first GPU operation
  where no iterations were found, while the GPU was idle: the innermost Python function of the calling path, or the
  innermost function of a path without Python. File and line
  are of the innermost frame of Python, or without Python of the innermost one that has a source
  file, with code of the program before installed code; a module stands where no source is known.
population: >-
  samples of launching threads while the GPU is idle, two of them in the same moment by
  half; the first 30 functions and lines
needs: [cpu_trace, gpu_trace, launching]
source: traces
caveat: >-
  Sampled time and not all of the start-up: samples of CPU time say nothing of what a thread
  waits for, such as files.
empty: no launching thread was sampled before the first iteration or, without iterations, GPU operation
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of that time', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH sampled AS MATERIALIZED (
    SELECT blame.context, enclosing.frame, sum(blame.sampled) AS spent
    FROM blame
    JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
    WHERE blame.period IN ('before', 'start-up')
    GROUP BY blame.context, enclosing.frame
),
told AS (
    SELECT target AS frame, first(name ORDER BY python DESC, step) AS name
    FROM path_frames((SELECT list(DISTINCT frame) FROM sampled))
    WHERE lexical_type <> 'entry' OR step = 0
    GROUP BY target
)
SELECT told.name AS "function", sum(sampled.spent) / 1e9 AS "time",
    sum(sampled.spent) / sum(sum(sampled.spent)) OVER () AS share,
    place.file, place.line, place.module
FROM sampled
JOIN told ON told.frame = sampled.frame
JOIN source_place AS place ON place.context = sampled.context
GROUP BY told.name, place.file, place.line, place.module
ORDER BY sum(sampled.spent) DESC, told.name, place.file, place.line, place.module
LIMIT 30

/*---
name: start_up_work
title: What the start-up does
better: lower
definition: >-
  The time before the first iteration, or before the first GPU operation where no iterations were found, by
  what launching threads do: initialise the GPU, by the functions of time.gpu_initialisation before their GPU's first
  operation, import modules of Python, or anything else. With the three packages that take most of the imports: the innermost installed one on the
  calling path. The largest first and anything else last, where there is anything besides; what takes less than
  a tenth of the start-up is left out.
population: >-
  from the first trace point; threads of a rank at once count once. Of several ranks the mean: time.gpu_initialisation
  is the time in which any rank initialises its GPU
needs: [cpu_trace, gpu_trace, launching]
source: traces; names of functions and files
caveat: >-
  The interval is of where parts of the main thread's time begin and end between samples, as in time.main_thread.
  The time between two samples of a thread is told by the later one. The profiler's own start-up within the
  driver counts as initialising the GPU.
empty: >-
  the run begins with its first iteration, or neither initialising the GPU nor importing takes a tenth of its start-up
columns:
  - {name: work, title: 'Work', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: time_low, title: 'Time, low', unit: s}
  - {name: time_high, title: 'Time, high', unit: s}
  - {name: share, title: 'Share of the start-up', unit: ratio}
  - {name: packages, title: 'Packages', unit: text}
---*/
WITH phase AS (
    SELECT start, stop FROM run_phases WHERE phase = 'start-up'
),
rank AS MATERIALIZED (
    SELECT fed.profile, any_value(profile.rank) AS rank, min(own.stop) AS stop, min(gpu.start) AS first
    FROM fed_gpus AS fed
    JOIN gpu_device AS gpu ON gpu.device = fed.device
    JOIN profile ON profile."index" = fed.profile
    JOIN gpu_phases AS own ON own.device = fed.device AND own.phase = 'start-up'
    GROUP BY fed.profile
),
held AS (
    SELECT sample.profile, enclosing.frame, sample.taken AS stop,
        coalesce(sample.taken - sample.distance, line.start) AS start
    FROM host_sample AS sample
    JOIN trace_line AS line ON line.profile = sample.profile AND line.launching
    JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
    WHERE sample.duration > 0
    UNION ALL
    SELECT stay.profile, enclosing.frame, stay.start + stay.duration, stay.start
    FROM host_stay AS stay
    JOIN trace_line AS line ON line.profile = stay.profile AND line.launching
    JOIN enclosing_frame AS enclosing ON enclosing.context = stay.context
),
told AS (
    SELECT rank.rank, held.frame, held.start, least(held.stop, rank.stop) AS stop,
        held.frame IN (SELECT frame FROM gpu_start) AS initialising
    FROM held
    JOIN frame ON frame.frame = held.frame
    JOIN rank ON rank.profile = held.profile AND held.start < rank.stop
    WHERE CASE WHEN initialising THEN held.stop < rank.first ELSE coalesce(frame.phase = 'importing', false) END
),
spent_both AS MATERIALIZED (
    SELECT initialising, frame, sum(stop - greatest(start, coalesce(before, start))) / (SELECT count(DISTINCT coalesce(rank, 0)) FROM rank) AS spent
    FROM (
        SELECT *, max(stop) OVER (
            PARTITION BY initialising, rank ORDER BY start, stop, frame ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS before
        FROM told
    )
    WHERE stop > greatest(start, coalesce(before, start))
    GROUP BY initialising, frame
),
spent AS MATERIALIZED (
    SELECT frame, spent FROM spent_both WHERE NOT initialising
),
placed AS (
    SELECT path.target, replace(arg_min(
        regexp_extract(coalesce(file.path, frames.called_file), '/(site|dist)-packages/(torch/_\w+|[^/]+)', 2), path.step
    ), '/', '.') AS package
    FROM path_frames((SELECT list(frame) FROM spent)) AS path
    JOIN frame AS frames ON frames.frame = path.frame
    LEFT JOIN "function" AS defined ON defined.id = frames."function"
    LEFT JOIN file ON file.id = defined.file
    WHERE regexp_matches(coalesce(file.path, frames.called_file), '/(site|dist)-packages/')
    GROUP BY path.target
),
most AS (
    SELECT string_agg(package, ', ' ORDER BY spent DESC, package) || CASE WHEN any_value(packages) > 3 THEN ' and others' ELSE '' END AS packages
    FROM (
        SELECT placed.package, sum(spent.spent) AS spent, count(*) OVER () AS packages
        FROM spent JOIN placed ON placed.target = spent.frame
        GROUP BY placed.package
        ORDER BY sum(spent.spent) DESC, placed.package LIMIT 3
    )
),
told_apart AS (
    SELECT stop - start AS length, coalesce((SELECT sum(spent) FROM spent_both WHERE initialising), 0) AS initialising,
        coalesce((SELECT sum(spent) FROM spent), 0) AS importing
    FROM phase
),
work AS (
    SELECT length, unnest([
        {'work': 'initialising the GPU', 'part': 'initialisation', 'spent': initialising, 'packages': NULL},
        {'work': 'importing modules of Python', 'part': 'importing', 'spent': importing, 'packages': packages},
        {'work': 'anything else', 'part': NULL, 'spent': greatest(length - initialising - importing, 0), 'packages': NULL}
    ], recursive := true)
    FROM told_apart CROSS JOIN most
),
ends AS (
    SELECT part, stretches_low(sum(spent), sum("after"), sum(after_square), sum(after_lost), any_value(distance)) / any_value(threads) AS low,
        stretches_high(sum(spent), sum(before), sum(before_square), sum(before_lost), any_value(distance)) / any_value(threads) AS high
    FROM main_stretches WHERE part IN ('initialisation', 'importing') GROUP BY part
)
SELECT work.work, work.spent / 1e9 AS "time", least(ends.low, work.spent) / 1e9 AS time_low,
    least(greatest(ends.high, work.spent), length) / 1e9 AS time_high, work.spent / length AS share, work.packages
FROM work LEFT JOIN ends ON ends.part = work.part
WHERE work.spent >= 0.1 * length
QUALIFY count(*) FILTER (WHERE work.work <> 'anything else') OVER () > 0
ORDER BY work.work = 'anything else', work.spent DESC, work.work

/*---
name: gpu_initialisation_functions
title: Functions that initialise the GPU
better: lower
definition: >-
  The time of time.gpu_initialisation by function, as a share of the wall time, the longest
  stretch of it between two samples, when it begins, and where the function is called: its three nearest
  callers that have a name, and the nearest one of Python.
population: >-
  threads that launch GPU operations, from the first trace point to the first GPU operation; all
  CPU threads and the whole run where no GPU operation was recorded. Threads at once count once, also of several ranks
needs: [cpu_trace]
source: traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  Of a thread that is within the driver, waiting or working, no samples of CPU time are taken, so
  that the time between two samples is told by the later one. The profiler's own start-up within the driver
  counts as well.
empty: no thread was seen initialising a GPU
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of wall time', unit: ratio}
  - {name: begins, title: 'First seen', unit: s}
  - {name: callers, title: 'Called by', unit: text}
  - {name: longest, title: 'Longest stretch', unit: s}
---*/
WITH stretch AS MATERIALIZED (
    SELECT name, frame, start, stop - start AS spent FROM gpu_start
),
path AS MATERIALIZED (
    SELECT largest.name AS initialising, path.step, path.name, path.python, path.lexical_type,
        max(path.step) FILTER (WHERE regexp_replace(path.name, ' \[[^\]]*\]$', '') = largest.name) OVER (PARTITION BY largest.name) AS own
    FROM (
        SELECT name, frame FROM stretch GROUP BY name, frame
        QUALIFY row_number() OVER (PARTITION BY name ORDER BY sum(spent) DESC, frame) = 1
    ) AS largest
    JOIN path_frames((SELECT list(frame) FROM stretch)) AS path ON path.target = largest.frame
),
caller AS (
    SELECT initialising, step, regexp_extract(short_name(name), '(\w+::)?[^:]+$') AS name,
        row_number() OVER (PARTITION BY initialising ORDER BY step) AS nearest,
        row_number() OVER (PARTITION BY initialising, python ORDER BY step) AS of_kind, python
    FROM path
    WHERE step > own AND lexical_type = 'function' AND name NOT LIKE '0x%' AND name NOT LIKE '<%'
),
called AS (
    SELECT initialising, string_agg(name, ' ← ' ORDER BY step) AS callers
    FROM caller
    WHERE nearest <= 3 OR python AND of_kind = 1
    GROUP BY initialising
)
SELECT stretch.name AS "function", sum(spent) / 1e9 AS "time",
    sum(spent) / nullif(any_value(span.stop - span.start), 0) AS share,
    (min(stretch.start) - any_value(span.start)) / 1e9 AS begins, any_value(called.callers) AS callers,
    max(spent) / 1e9 AS longest
FROM stretch
JOIN cpu_trace_span AS span ON true
LEFT JOIN called ON called.initialising = stretch.name
GROUP BY stretch.name
ORDER BY sum(spent) DESC, stretch.name

/*---
name: device_opens
title: Calls that open and close devices while the GPU is initialised
better: lower
definition: >-
  Samples during GPU initialisation whose innermost function opens or closes a file and that come
  more than 0.1 s after the thread's sample before: how many, and the time that they stand for.
population: >-
  threads that launch GPU operations, from the first trace point to the first GPU operation; all
  CPU threads and the whole run where no GPU operation was recorded. Threads at once count once
needs: [cpu_trace]
source: traces; names of functions of the C library
caveat: >-
  That a call blocks for as long is an inference: a thread that waits in the kernel has no samples
  of CPU time, and its next one is taken in the call that it comes out of. Which file it opens is not
  recorded.
empty: no sample of GPU initialisation in a call that opens or closes a file comes more than 0.1 s after the one before
columns:
  - {name: call, title: 'Call', unit: text}
  - {name: calls, title: 'Calls', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: median, title: 'Median', unit: s}
---*/
WITH stretch AS (
    SELECT regexp_extract(regexp_replace(frames.name, ' \[[^\]]*\]$', ''), '^_*(GI_+)?(libc_)?(open|close)(at)?(64)?(_nocancel)?$', 3) AS call,
        touched.stop - touched.start AS spent
    FROM gpu_start AS touched
    JOIN frame AS frames ON frames.frame = touched.frame
)
SELECT call, count(*) AS calls, sum(spent) / 1e9 AS "time", median(spent) / 1e9 AS median
FROM stretch
WHERE call <> '' AND spent > 1e8
GROUP BY call
ORDER BY call DESC

/*---
name: entry_points
title: Thread time by entry point
better: neither
definition: >-
  Time for which CPU threads were seen, by entry point: the main thread, threads that the
  program created, and code of unknown origin.
population: >-
  CPU trace lines of all profiles; time summed over threads
needs: [cpu_trace]
source: traces
caveat: >-
  A sample of CPU time stands for one period of it, or for the time before it too where the
  profile charges it with more than ten; no thread runs for longer than its CPU time where the
  profile tells it; by samples of elapsed time, waiting counts as well. The
  profiler loses samples: a CPU event of the profile is more exact where it was recorded.
columns:
  - {name: name, title: 'Entry point', unit: text}
  - {name: time, title: 'Time', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT '<' || context.entry_point || '>' AS name, sum(cpu_time.duration) / 1e9 AS "time",
    sum(cpu_time.duration) / sum(sum(cpu_time.duration)) OVER () AS share
FROM cpu_time JOIN context ON context.id = cpu_time.context
GROUP BY context.entry_point
ORDER BY sum(cpu_time.duration) DESC, context.entry_point
