/*---
name: main_thread
title: What the main thread does on the clock
better: neither
definition: >-
  The main thread's elapsed time by what the program does, as functions on the calling path tell it, the
  largest part first and what none tells last, with parts of less than ten usual distances between samples and
  waits for the backward pass that are less but for what may be dropped samples of this thread in them. Each stretch
  between two samples counts for the later one, so waits and calls of the kernel count too; how much of
  it samples of CPU time show the thread running stands beside it, and for how long the profiler dropped the running thread's
  samples: stretches of a whole number of the timer's periods beyond one, less those of no such number, as waits
  are of either by chance. Where another thread is sampled in the backward
  pass meanwhile, all but one distance between samples of CPU time is waiting for that, unless the main thread is
  in that pass itself; of recorded begins and ends it is time in PyTorch's call of its engine (backward_waits).
  Calls that wait for the GPU are a part of their own,
  in whatever phase, if they take ten such distances; so are the profiler's own calls, but for those that start a GPU: this thread's, and of each wait
  for the backward pass the share of the other thread's samples in it that are in such calls. Whole periods
  of the timer up to the first such sample, but one, are the earlier sample's: the profiler dropped samples there. So
  are those from a part in which it drops most samples to one in which it drops next to none.
  Moving data is all that the calls for it do, not copies alone. First seen is when the first such stretch begins.
  The 95 % interval is of where parts begin and end between samples: a stretch from one part to another may belong to
  either, and what no sample met is up to four usual distances. Whole periods without a sample are as usual there as
  within the earlier part. A wait for the backward pass is told to one distance of the other thread's samples; down to
  what they show where the rest may be dropped samples of the main thread, and up to one distance for each of them at least.
  What none tells is the rest, without an interval.
population: >-
  the lowest-numbered CPU thread of the run, from its first trace point to its last sample; where begins and ends are
  recorded, its time in what was recorded; of several ranks the mean over their main threads. The function is the program's
  own with half of the part at least
needs: [cpu_trace]
source: >-
  traces; names of functions and files in the store's table phase_pattern; models gpu_wait,
  reading_frames and profiler_contexts
caveat: >-
  As profiled: where the profiler slows down a part, as it does Python, that part is too large, and one that follows
  it may be, too, by what passes between their samples. The interval does not know of that. Waits for the backward
  pass count too much where the profiler drops samples of the main thread between them, and too little where each is
  shorter than the usual distance between samples; the parts beside them lose or win what these do not.
  All of the run counts, warm-up too: phases of an iteration (time.iteration_phases) are of steady ones, and waits in
  them of the GPU, not of this thread.
empty: no main thread was sampled
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Elapsed', unit: s}
  - {name: time_low, title: 'Elapsed, low', unit: s}
  - {name: time_high, title: 'Elapsed, high', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: share_low, title: 'Share, low', unit: ratio}
  - {name: share_high, title: 'Share, high', unit: ratio}
  - {name: running, title: 'Seen running', unit: s}
  - {name: dropped, title: 'Samples dropped', unit: s}
  - {name: begins, title: 'First seen', unit: s}
  - {name: function, title: 'Mostly in', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
---*/
WITH stretch AS MATERIALIZED (
    SELECT * REPLACE (
        CASE WHEN sum(CASE WHEN part = 'waiting' THEN spent - after_lost ELSE spent END) OVER (PARTITION BY part)
            < 10 * distance THEN 'other' ELSE part END AS part
    )
    FROM main_stretches
),
owned AS (
    SELECT part, owner_of_half(owner, spent) AS owner
    FROM (SELECT part, owner, sum(spent) AS spent FROM stretch GROUP BY part, owner)
    GROUP BY part
),
example AS (
    SELECT key, arg_min(frames, frame) AS frame FROM frame AS frames WHERE key IN (SELECT owner FROM owned) GROUP BY key
),
part AS (
    SELECT part, sum(spent) AS spent, sum(running) AS running, if(sum(dropped) < 0, 0, sum(dropped)) AS dropped,
        min(begins) AS begins, any_value(threads) AS threads, sum(sum(spent)) OVER () AS whole,
        CASE WHEN part <> 'other' THEN stretches_low(
            sum(spent), sum("after"), sum(after_square), sum(after_lost), any_value(distance)
        ) END AS low,
        CASE WHEN part <> 'other' THEN least(
            stretches_high(sum(spent), sum(before), sum(before_square), sum(before_lost), any_value(distance)),
            sum(sum(spent)) OVER ()
        ) END AS high
    FROM stretch
    GROUP BY part
)
SELECT part_name(part.part) AS part,
    part.spent / part.threads / 1e9 AS "time", part.low / part.threads / 1e9 AS time_low, part.high / part.threads / 1e9 AS time_high,
    part.spent / part.whole AS share, part.low / part.whole AS share_low, part.high / part.whole AS share_high,
    part.running / part.threads / 1e9 AS running, part.dropped / part.threads / 1e9 AS dropped, part.begins / 1e9 AS begins,
    example.frame.name AS "function", source_path(coalesce(file.path, example.frame.called_file)) AS file, nullif(defined.line, 0) AS line
FROM part
LEFT JOIN owned ON owned.part = part.part
LEFT JOIN example ON example.key = owned.owner
LEFT JOIN "function" AS defined ON defined.id = example.frame."function"
LEFT JOIN file ON file.id = defined.file
ORDER BY part.part = 'other', part.spent DESC, part.part

/*---
name: main_running
title: What the main thread runs
better: neither
definition: >-
  The time for which samples of CPU time show the main thread running, by what the program does: the parts of
  the metric time.main_thread without the time in which it waits, is off its core, or no sample shows
  whether it runs. A wait for the GPU that spins runs, and so do the profiler's own
  calls. The largest part first, and what no function tells last.
population: >-
  the lowest-numbered CPU thread of the run; of several ranks the mean over their main threads. The function
  is the program's own with half of the part at least
needs: [cpu_time, cpu_trace]
source: traces; names of functions and files in the store's table phase_pattern
caveat: >-
  What the profiler adds to the time that the thread runs is in it, too.
empty: no main thread was sampled by CPU time
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Seen running', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: total, title: 'Main thread seen running', unit: s}
  - {name: function, title: 'Mostly in', unit: text}
---*/
WITH stretch AS MATERIALIZED (
    FROM main_stretches WHERE running > 0
),
owned AS (
    SELECT part, owner_of_half(owner, running) AS owner
    FROM (SELECT part, owner, sum(running) AS running FROM stretch GROUP BY part, owner)
    GROUP BY part
),
example AS (
    SELECT key, arg_min(name, frame) AS name FROM frame AS frames WHERE key IN (SELECT owner FROM owned) GROUP BY key
),
part AS (
    SELECT part, sum(running) / any_value(threads) AS running FROM stretch GROUP BY part
)
SELECT part_name(part.part) AS part, part.running / 1e9 AS "time",
    part.running / sum(part.running) OVER () AS share, sum(part.running) OVER () / 1e9 AS total, example.name AS "function"
FROM part
LEFT JOIN owned ON owned.part = part.part
LEFT JOIN example ON example.key = owned.owner
ORDER BY part.part = 'other', part.running DESC, part.part

/*---
name: nothing_runs
title: Where nothing runs, by function
better: lower
definition: >-
  Time in which no CPU thread and no GPU operation runs, by the functions on the calling path of
  the sample that ends it. Inclusive once for each function on the path; exclusive for the
  innermost function of Python, or the innermost one where there is none.
population: >-
  stretches without a sample between the first and the last one; the first 30 by exclusive time
needs: [cpu_time, cpu_trace]
source: traces
caveat: >-
  By samples of CPU time: a thread that is within a call, waits for a disk or another process, or
  has no core is seen alike, and so is one in which the profiler itself runs: a sample that hits the
  profiler's code is dropped. With Python's functions recorded (hpcrun -a python) the profiler's code runs
  at each call in Python, so that Python shows more of it than there would be without a profiler. In a
  trace, most samples in the own code of a function of Python stand under its caller, which then has the time as its own.
empty: >-
  a thread or a GPU operation runs at every moment, as time.nothing_runs_share then says, or threads were sampled by
  elapsed time, which passes while they wait as well
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: exclusive, title: 'In the function itself', unit: s}
  - {name: time, title: 'With what it calls', unit: s}
  - {name: share, title: 'Share of the wall time', unit: ratio}
---*/
SELECT name AS "function", file, line, spent.exclusive / 1e9 AS exclusive, spent.inclusive / 1e9 AS "time",
    spent.inclusive / (SELECT nullif(stop - start, 0) FROM cpu_trace_span) AS share
FROM functions_on_paths((
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, CAST(sum(idle.duration) AS DOUBLE) AS spent
        FROM idle_time AS idle
        JOIN enclosing_frame AS enclosing ON enclosing.context = idle.context
        GROUP BY enclosing.frame
    )
)) AS spent
ORDER BY spent.exclusive DESC, spent.inclusive DESC, spent.key
LIMIT 30
