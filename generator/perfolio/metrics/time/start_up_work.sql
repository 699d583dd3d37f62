/*---
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
