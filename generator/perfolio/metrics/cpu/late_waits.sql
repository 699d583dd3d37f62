/*---
title: Waits that came late
unit: ratio
better: lower
definition: >-
  Share of the elapsed time within waiting code, of threads that work, by which samples came late, at least: what
  they stand for beyond one punctual distance each. A thread that spins is interrupted at once, and
  one that sleeps is woken; a sample that comes late ends a time in which the thread was due and had no core.
population: >-
  call frames that wait of CPU threads that work (at least 1 % of the work of their process's busiest one), scope function;
  one of them with at least 20 samples there. The punctual distance of a thread is the one that one in twenty of them is
  below, but no more than a tenth above the one that one in a hundred of the run's is below.
  Nothing is late of what has no samples, or of a thread with fewer
needs: [elapsed_time, cpu_event, profiles, cpu_trace, host_samples]
source: >-
  measure elapsed_time, which leaves the time of the profiler's own handler out, and its traces; the
  models punctual_distance and around_inlined, as the profile charges an inlined function and the trace
  samples the one around it; less 1.96 standard errors of the mean distance of samples that time is
  charged to, which takes them as independent
caveat: >-
  A kernel that delivers signals late to threads that run looks the same: then involuntary context switches are few.
  A thread that loses its core and has it again before a sample is due is not seen.
empty: the profile has CPU time, or no thread that works has 20 samples in waiting code
---*/
WITH waiting AS MATERIALIZED (
    SELECT value.profile, around.code, sum(value.value) AS spent
    FROM value
    JOIN metric ON metric.id = value.metric AND metric.measure = 'elapsed_time'
        AND metric.scope = 'function' AND metric.statistic IS NULL
    JOIN frame ON frame.frame = value.context AND frame.role = 'waiting'
    JOIN around_inlined AS around ON around.frame = frame.frame
    WHERE value.profile IN (SELECT profile FROM thread_work WHERE works)
    GROUP BY value.profile, around.code
),
sample AS MATERIALIZED (
    SELECT sample.profile, around.code, sample.samples, sample.later, sample.distance, sample.squares
    FROM sampled_frame AS sample
    JOIN frame ON frame.frame = sample.frame AND frame.role = 'waiting'
    JOIN around_inlined AS around ON around.frame = sample.frame
    JOIN waiting ON waiting.profile = sample.profile AND waiting.code = around.code
),
told AS (
    SELECT sampled.profile, sampled.code, sampled.samples, punctual.distance / 1e9 AS punctual, spread.variance
    FROM (SELECT profile, code, sum(samples) AS samples FROM sample GROUP BY profile, code) AS sampled
    JOIN (
        SELECT profile, variance_of(sum(later), sum(distance), sum(squares)) AS variance
        FROM sample
        GROUP BY profile
        HAVING sum(later) > 0
    ) AS spread ON spread.profile = sampled.profile
    JOIN punctual_distance AS punctual ON punctual.profile = sampled.profile AND punctual.role = 'waiting'
),
lateness AS (
    SELECT sum(told.samples * told.punctual) AS punctual,
        sum(waiting.spent) FILTER (WHERE told.profile IS NOT NULL) - 1.96 * sqrt(sum(told.samples * told.variance)) AS sampled,
        coalesce(sum(waiting.spent) FILTER (WHERE told.profile IS NULL), 0) AS others
    FROM waiting
    LEFT JOIN told ON told.profile = waiting.profile AND told.code = waiting.code
)
SELECT greatest(sampled - punctual, 0) / greatest(sampled + others, punctual) AS value
FROM lateness
WHERE punctual > 0 AND sampled IS NOT NULL AND cpu_event_of() = 'elapsed_time'
