/*---
name: cpu_interval
about: >-
  When CPU threads ran: where they stayed (host_stay), and by samples: from a sample on for trace_line.longest, but not into the next sample; by
  the elapsed clock, to the next point at most. A long_sample also stands for the time before it. taken is when
  the sample was taken.
---*/
SELECT sample.profile, sample.context, sample.taken, coalesce(long.start, sample.taken) AS start,
    sample.taken + least(line.longest, sample.stay) AS stop
FROM host_sample AS sample
JOIN trace_line AS line ON line.profile = sample.profile
LEFT JOIN long_sample AS long ON long.profile = sample.profile AND long.sample = sample.taken
WHERE sample.duration > 0
UNION ALL
SELECT profile, context, start, start, start + duration FROM host_stay

/*---
name: cpu_time
about: >-
  Time that CPU threads ran by calling context: how long they stayed there (host_stay), or by samples. A thread runs from a sample on for
  trace_line.longest at most, and before it where it is a long_sample: see cpu_interval.
when: EXISTS (FROM trace) OR EXISTS (FROM host_stay)
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  context: UINTEGER; Calling context [id]
  duration: BIGINT; Time [ns]
---*/
-- A long sample is two stretches: from it on, and before it. Samples are added up anew where long ones made longest less.
WITH less AS (
    SELECT line.profile, line.longest
    FROM trace_line AS line JOIN recorded_line AS recorded ON recorded.profile = line.profile AND recorded.longest IS DISTINCT FROM line.longest
)
SELECT profile, context, CAST(sum(ran) AS BIGINT) AS duration
FROM (
    SELECT profile, context, ran FROM context_samples WHERE held > 0 AND profile NOT IN (SELECT profile FROM less)
    UNION ALL
    SELECT sample.profile, sample.context, least(less.longest, sample.stay)
    FROM host_sample AS sample JOIN less ON less.profile = sample.profile WHERE sample.duration > 0
    UNION ALL
    SELECT sample.profile, sample.context, long.sample - long.start
    FROM long_sample AS long
    JOIN host_sample AS sample
        ON sample.profile = long.profile AND sample.taken = long.sample AND sample.duration > 0
    UNION ALL
    SELECT profile, context, duration FROM host_stay
)
GROUP BY profile, context

/*---
name: thread_running
about: >-
  How long each CPU thread ran: its CPU time where it was sampled by that and the profile tells it, as the trace
  may lack samples, but no longer than the run; else by the trace [ns].
---*/
SELECT line.profile, CAST(least(
    greatest(coalesce(spent.busy, 0), CASE WHEN line.clock = 'running' THEN coalesce(recorded.value, 0) * 1e9 ELSE 0 END),
    greatest(span.stop - span.start, coalesce(spent.busy, 0))
) AS BIGINT) AS running
FROM trace_line AS line
JOIN cpu_trace_span AS span ON true
LEFT JOIN (SELECT profile, sum(duration) AS busy FROM cpu_time GROUP BY profile) AS spent ON spent.profile = line.profile
LEFT JOIN profile_total AS recorded
    ON recorded.profile = line.profile AND recorded.name = 'cpu_time'
WHERE line.kind = 'CPU thread'

/*---
name: idle_time
about: >-
  Time in which no CPU thread runs and no GPU operation, between the first and the last of them (cpu_interval),
  of runs that were sampled by the running clock.
when: FROM trace_line WHERE clock = 'running'
columns:
  context: UINTEGER; Calling context of the sample that ends it, 0 of a GPU operation [id]
  duration: BIGINT; Time [ns]
  clocked: >-
    BIGINT?; Part of it that ends with a sample taken a whole number of the timer's periods after the thread's
    last one (timer_gaps): the thread's CPU clock ran, waits end so by chance only. NULL where that is not told,
    or the run has GPU operations [ns]
---*/
-- Operations of a GPU follow each other for long, so that only what they are together is put in order.
WITH fresh AS (
    SELECT device, start, stop,
        coalesce(lag(stop) OVER () <> start OR lag(device) OVER () <> device, true) AS fresh
    FROM gpu_level WHERE kernels + copies + others > 0
),
gpu_busy AS (
    SELECT min(start) AS start, max(stop) AS stop
    FROM (SELECT device, start, stop, sum(CAST(fresh AS INTEGER)) OVER (ROWS UNBOUNDED PRECEDING) AS place FROM fresh)
    GROUP BY place
),
idle AS (
    SELECT profile, taken, context, start AS stop,
        max(stop) OVER (ORDER BY start, stop, context ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS start
    FROM (
        SELECT profile, taken, context, start, stop FROM cpu_interval
        UNION ALL
        SELECT NULL, NULL, 0, start, stop FROM gpu_busy
    )
)
SELECT idle.context, sum(idle.stop - idle.start) AS duration,
    sum(CASE WHEN gap.whole THEN idle.stop - idle.start WHEN NOT gap.whole THEN 0 END) AS clocked
FROM idle
LEFT JOIN (FROM timer_gaps WHERE NOT EXISTS (FROM gpu_span)) AS gap ON gap.profile = idle.profile AND gap.taken = idle.taken
WHERE idle.stop > idle.start AND EXISTS (FROM trace_line WHERE clock = 'running')
GROUP BY idle.context

/*---
name: nothing_runs_python
about: >-
  Time of a run without GPU work in which no sample shows a CPU thread running (idle_time), the part of it that
  ends on whole periods of the timer, and the wall time. No row where less than nine tenths of it end in Python,
  or less than three quarters on whole periods [ns].
---*/
WITH idle AS MATERIALIZED (
    SELECT enclosing.frame, CAST(sum(idle.duration) AS DOUBLE) AS spent, CAST(sum(idle.clocked) AS DOUBLE) AS clocked
    FROM idle_time AS idle JOIN enclosing_frame AS enclosing ON enclosing.context = idle.context GROUP BY enclosing.frame
),
told AS (
    SELECT target AS frame, bool_or(python) AS python FROM path_frames((SELECT list(frame) FROM idle)) GROUP BY target
)
SELECT sum(idle.spent) AS spent, sum(idle.clocked) AS clocked, any_value(span.stop - span.start) AS wall
FROM idle JOIN told ON told.frame = idle.frame JOIN cpu_trace_span AS span ON span.stop > span.start
WHERE NOT EXISTS (SELECT 1 FROM gpu_span)
HAVING sum(idle.spent) FILTER (WHERE told.python) >= 0.9 * sum(idle.spent)
    AND sum(idle.clocked) >= 0.75 * sum(idle.spent)
