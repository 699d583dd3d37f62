/*---
name: recorded_line
about: >-
  One row per trace line that has points, as trace_line, but with the time after a sample before long samples are known.
---*/
-- The distance of samples is a median over classes that are 0.1 % wide, since a median of all
-- needs them all in memory. A sample of CPU time stands for one period of it; of a thread whose
-- CPU time is known, for no more than that divided by its samples. Long samples follow.
WITH line AS (
    SELECT points.*, profile.kind
    FROM (
        SELECT profile, count(*) AS points, CAST(min("time") AS BIGINT) AS start,
            CAST(max("time") AS BIGINT) AS stop, count(*) FILTER (WHERE context <> 0) AS active
        FROM trace GROUP BY profile
    ) AS points
    JOIN profile ON profile."index" = points.profile
),
launching AS (
    SELECT DISTINCT profile FROM host_sample WHERE context IN (SELECT context FROM launching_contexts)
),
class AS (
    SELECT again, CAST(1000 * ln(duration) AS INTEGER) AS class, count(*) AS samples, avg(duration) AS distance
    FROM host_sample WHERE duration > 0 GROUP BY ALL
),
period AS (
    SELECT CAST(min(distance) AS BIGINT) AS period
    FROM (
        SELECT distance, sum(samples) OVER (ORDER BY class) AS upto, sum(samples) OVER () AS whole
        FROM class WHERE again = (SELECT bool_or(again) FROM class)
    )
    WHERE 2 * upto >= whole
),
limited AS (
    SELECT line.*, cpu_clock() AS clock, period.period, recorded.value / line.active * 1e9 AS cpu_time
    FROM line
    CROSS JOIN period
    LEFT JOIN profile_total AS recorded
        ON recorded.profile = line.profile AND recorded.name = 'cpu_time' AND recorded.value > 0
    WHERE line.kind <> 'GPU stream'
)
SELECT line.profile, CASE line.kind WHEN 'GPU stream' THEN line.kind ELSE 'CPU thread' END AS kind,
    line.points, line.start, line.stop, line.active,
    CAST(floor(least(
        CASE limited.clock WHEN 'running' THEN limited.period ELSE 10 * limited.period END, limited.cpu_time
    )) AS BIGINT) AS longest,
    limited.clock, line.kind <> 'GPU stream' AND launching.profile IS NOT NULL AS launching
FROM line LEFT JOIN limited ON limited.profile = line.profile LEFT JOIN launching ON launching.profile = line.profile

/*---
name: trace_line
about: >-
  One row per trace line that has points.
when: trace
columns:
  profile: INTEGER; Profile, index in table profile [id]
  kind: VARCHAR; CPU thread or GPU stream [text]
  points: BIGINT; Trace points [count]
  start: BIGINT; First point since the epoch [ns]
  stop: BIGINT; Last point since the epoch [ns]
  active: BIGINT; Points that are not idle [count]
  longest: >-
    BIGINT?; CPU threads: time after a sample from which on the thread is taken to wait. By the running clock
    one period: the median distance of two samples of the run. By the elapsed clock ten times that. Never more
    than the thread's CPU time, where that was recorded, without what long samples have of it, over its samples
    [ns]
  clock: >-
    VARCHAR?; CPU threads: running where samples are taken by CPU time or cycles, elapsed where they are taken
    by elapsed time, also of a thread that waits [text]
  launching: >-
    BOOLEAN; Whether it is a CPU thread that launches GPU operations: one of its samples shares at least half of
    the calling path of a GPU operation
---*/
SELECT line.profile, line.kind, line.points, line.start, line.stop, line.active,
    CASE WHEN line.clock = 'running' AND long.more > 0 AND recorded.value IS NOT NULL
        THEN least(line.longest, CAST(floor(greatest(recorded.value * 1e9 - long.more, 0) / line.active) AS BIGINT))
        ELSE line.longest END AS longest,
    line.clock, line.launching
FROM recorded_line AS line
LEFT JOIN (SELECT profile, sum(sample - start) AS more FROM long_sample GROUP BY profile) AS long ON long.profile = line.profile
LEFT JOIN profile_total AS recorded ON recorded.profile = line.profile AND recorded.name = 'cpu_time'

/*---
name: trace_line_busy
about: >-
  How long each trace line was busy: operations of a GPU stream, running time of a CPU thread [ns].
---*/
SELECT trace_line.profile, trace_line.kind, CAST(coalesce(spent.busy, 0) AS BIGINT) AS busy
FROM trace_line
LEFT JOIN (
    SELECT profile, sum(duration) AS busy FROM gpu_operation GROUP BY profile
    UNION ALL
    SELECT profile, sum(duration) FROM cpu_time GROUP BY profile
) AS spent ON spent.profile = trace_line.profile

/*---
name: line_name
about: >-
  Trace lines in words: the GPU of a GPU stream (its rank and, where a process of the run has several,
  HPCToolkit's number of its GPU context, which is no number of a device), and the line, with its thread (process_thread)
  or stream.
---*/
SELECT line.profile, gpu.name AS gpu,
    CASE line.kind
        WHEN 'GPU stream' THEN gpu.name || coalesce(' stream ' || profile.gpu_stream, ' stream (' || profile.identifier_tuple || ')')
        ELSE thread.name END AS name
FROM trace_line AS line JOIN profile ON profile."index" = line.profile
LEFT JOIN process_thread AS thread ON thread.profile = line.profile
CROSS JOIN (
    SELECT count(DISTINCT (node, rank, gpu_context)) > count(DISTINCT (node, rank)) AS several
    FROM profile WHERE kind = 'GPU stream'
) AS contexts
CROSS JOIN LATERAL (
    SELECT coalesce('rank ' || profile.rank || ' ', '') || 'GPU'
        || if(contexts.several, coalesce(' context ' || profile.gpu_context, ''), '') AS name
) AS gpu

/*---
name: cpu_trace_span
about: >-
  From the first moment of any trace line to the last one, for runs with a CPU trace: the wall time [ns].
---*/
SELECT min(start) AS start, max(stop) AS stop FROM trace_line HAVING bool_or(kind = 'CPU thread' AND active > 0)

/*---
name: traced_span
about: >-
  What the times of a run count from: the wall time, or the span of GPU operations where there is no CPU trace
  [ns].
---*/
SELECT min(start) AS start, max(stop) AS stop
FROM (
    SELECT start, stop FROM cpu_trace_span
    UNION ALL
    SELECT start, stop FROM gpu_span
)
HAVING count(*) > 0

/*---
name: least_run_time
about: >-
  How long a run took at least: the time of its busiest thread, or the traced wall time where that is longer;
  NULL where neither is known [s].
value: true
---*/
SELECT max(value)
FROM (
    SELECT profile_total.value
    FROM profile_total JOIN profile ON profile."index" = profile_total.profile AND profile.kind = 'CPU thread'
    WHERE profile_total.name IN ('cpu_time', 'elapsed_time')
    UNION ALL
    SELECT (stop - start) / 1e9 FROM cpu_trace_span
)

/*---
name: run_bins
about: >-
  1,200 equal parts of the traced span of a run, in order from 0; none of a time of fewer nanoseconds [ns].
---*/
SELECT CAST(bin AS INTEGER) AS bin,
    start + CAST((stop - start)::HUGEINT * bin // 1200 AS BIGINT) AS start,
    start + CAST((stop - start)::HUGEINT * (bin + 1) // 1200 AS BIGINT) AS stop
FROM traced_span CROSS JOIN range(1200) AS bins(bin) WHERE stop - start >= 1200

/*---
name: trace_bin
about: >-
  How long each trace line was busy in each of 1,200 equal parts of the run; no row where it was idle.
when: FROM trace_line
made_by: insert_bins
columns:
  profile: INTEGER; Profile, index in table profile [id]
  kind: VARCHAR; CPU thread or GPU stream [text]
  bin: INTEGER; Part, from 0 [id]
  busy: BIGINT; Time in which an operation or the thread ran [ns]
---*/
