/*---
title: Waits that came late
unit: ratio
better: lower
definition: >-
  Share of the elapsed time within waiting code, of threads that work, by which samples came late, at least: what
  they stand for beyond one punctual distance each. A thread that spins is interrupted at once, and
  one that sleeps is woken; a sample that comes late ends a time in which the thread was due and had no core.
population: >-
  call frames that wait of CPU threads that work (at least 1 % of the work of their rank's busiest one), scope function;
  threads with at least 20 samples there. The punctual distance of a thread is the one that one in twenty of them is below
needs: ["REALTIME (sec)", cpu_event, profiles, cpu_trace]
source: >-
  HPCToolkit's metric REALTIME (sec), which leaves the time of the profiler's own handler out, and its traces, less
  1.96 standard errors of the mean distance, which takes samples as independent
caveat: >-
  A kernel that delivers signals late to threads that run looks the same: then involuntary context switches are few.
  A thread that loses its core and has it again before a sample is due is not seen, nor is lateness
  that is charged to an inlined function.
empty: the profile has CPU time, or no thread that works has 20 samples in waiting code
---*/
WITH sample AS MATERIALIZED (
    SELECT point.profile, enclosing.frame, point.distance
    FROM (
        SELECT profile, context, CAST("time" - lag("time") OVER (PARTITION BY profile ORDER BY "time") AS DOUBLE) / 1e9 AS distance
        FROM trace
        WHERE run = $run AND context <> 0 AND profile IN (SELECT profile FROM thread_work($run) WHERE works)
    ) AS point
    JOIN enclosing_frames($run) AS enclosing ON enclosing.context = point.context
    JOIN frame_roles($run) AS roles ON roles.frame = enclosing.frame AND roles.role = 'waiting'
    WHERE point.distance > 0
),
punctual AS (
    SELECT profile, quantile_cont(distance, 0.05) AS distance, var_samp(distance) AS variance FROM sample GROUP BY profile HAVING count(*) >= 20
),
charged AS (
    SELECT sample.profile, sum(value.value) AS spent, sum(sample.samples) AS samples
    FROM (SELECT profile, frame, count(*) AS samples FROM sample GROUP BY profile, frame) AS sample
    JOIN metric ON metric.run = $run AND metric.name = 'REALTIME (sec)' AND metric.scope = 'function' AND metric.statistic IS NULL
    JOIN value ON value.run = $run AND value.profile = sample.profile AND value.context = sample.frame AND value.metric = metric.id
    GROUP BY sample.profile
),
lateness AS (
    SELECT sum(charged.spent) / sum(charged.samples * punctual.distance) AS times,
        1.96 * sqrt(sum(charged.samples * punctual.variance)) / sum(charged.samples * punctual.distance) AS half
    FROM charged
    JOIN punctual ON punctual.profile = charged.profile
    WHERE cpu_event_of($run) = 'REALTIME (sec)'
)
SELECT 1 - 1 / greatest(times - half, 1) AS value
FROM lateness
WHERE times > 0
