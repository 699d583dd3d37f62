/*---
name: sampled_frame
about: >-
  Samples of CPU threads by elapsed time, where that is the CPU event, by the frame that they are in.
when: cpu_event_of() = 'elapsed_time' AND EXISTS (FROM trace_line WHERE clock = 'elapsed')
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  frame: UINTEGER?; Call frame; NULL where the profile does not say [id]
  samples: BIGINT; Samples [count]
  later: BIGINT; Samples with a distance, the time since the thread's sample before [count]
  distance: BIGINT?; Sum of the distances [ns]
  squares: HUGEINT?; Sum of their squares [ns2]
  longest: BIGINT?; The longest distance [ns]
---*/
-- hpcrun marks that a sample came late, by more than five periods, with a point without a context one period
-- after the sample before: that is no sample.
SELECT sample.profile, enclosing.frame, CAST(sum(samples) AS BIGINT) AS samples,
    CAST(sum(later) AS BIGINT) AS later, CAST(sum(distance) AS BIGINT) AS distance, sum(squares) AS squares, max(longest) AS longest
FROM context_samples AS sample LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
WHERE cpu_event_of() = 'elapsed_time' AND EXISTS (FROM trace_line WHERE clock = 'elapsed')
GROUP BY sample.profile, enclosing.frame

/*---
name: thread_samples
about: >-
  Samples behind the CPU cost of each CPU thread, as its trace shows them: sums of the times that they stand
  for and of the squares of these (equal_samples). With CPUTIME every sample stands for one period; with
  REALTIME for the time since the last one. NULL for other events.
---*/
SELECT line.profile,
    CASE cpu_event_of() WHEN 'cpu_time' THEN line.active WHEN 'elapsed_time' THEN elapsed.total END AS total,
    CASE cpu_event_of() WHEN 'cpu_time' THEN line.active WHEN 'elapsed_time' THEN elapsed.squares END AS squares
FROM trace_line AS line
LEFT JOIN (
    SELECT profile, CAST(sum(distance) AS DOUBLE) AS total, CAST(sum(squares) AS DOUBLE) AS squares
    FROM sampled_frame GROUP BY profile
) AS elapsed ON elapsed.profile = line.profile
WHERE line.kind = 'CPU thread'

/*---
name: cost_samples
about: >-
  Samples behind the CPU cost of a run: by its traces (thread_samples), else of an event that perf or PAPI
  samples with a fixed period at least its total over that; NULL where nothing tells.
value: true
---*/
-- Each sample of an event of perf or PAPI stands at most for what divides all its values: 1 of samples at a given
-- frequency, whose periods differ.
SELECT coalesce(
    (SELECT equal_samples(sum(total), sum(squares)) FROM thread_samples),
    (
        SELECT total_of(cpu_event_of()) / CASE WHEN bool_and(value = floor(value) AND value < 9e18) THEN
            nullif(list_reduce(list(coalesce(try_cast(value AS BIGINT), 1)), lambda a, b: gcd(a, b)), 1) END
        FROM cost WHERE scope = 'point' AND name = cpu_event_of() AND value > 0 AND (name LIKE 'perf::%' OR name LIKE 'PAPI_%')
    )
)

/*---
name: punctual_distance
about: >-
  The punctual distance of a thread's samples by elapsed time in frames of a role, and of any role: the one that
  one in twenty of its distances between samples is below, but no more than a tenth above the one that one in a
  thousand of the run's is below. No row of fewer than 20 samples.
when: sampled_frame
made_by: insert_distances
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  role: VARCHAR?; As in table frame, or any [text]
  samples: BIGINT; Samples with a distance [count]
  distance: DOUBLE; The punctual one [ns]
---*/
-- No timer expires before its period is over: the least distances of a run tell the period, also of threads of which hardly
-- any sample comes in time, as where turns of threads that share a core are shorter than the period.

/*---
name: late_cost
about: >-
  Elapsed time of each CPU thread in the code of each frame beyond one punctual distance for each of its samples
  (two usual ones where samples are few): time in which a thread had no core or was held by the kernel or the
  profiler, if the frame does not wait. No rows without a trace, or of CPU time.
when: sampled_frame
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  frame: UINTEGER; Call frame [id]
  late: >-
    DOUBLE; Time that came late, so that the sum of all is a lower bound: less the error of the sum, in the same
    proportion everywhere [s]
  beyond: "DOUBLE; Time that came late as the samples tell it, without that error: what shares of work leave out [s]"
---*/
-- A timer of elapsed time that expires while its thread runs interrupts it at once, and while it
-- sleeps wakes it. So a sample that comes late ends a time in which the thread had no core, or the
-- kernel or the profiler held it, and stands for no more work than one that comes in time. The one
-- that one in twenty of a thread's samples of work is below is in time: what functions' samples
-- stand for beyond it came late. A bound of that is less by the error of all. Where that is less than
-- what they stand for beyond two usual distances each, and of threads with few samples, the latter is the bound.
-- The error is one of the sum: taken off each function, a part of its lateness would count as its work, so
-- that shares of work leave out all that is beyond, where the sum is more than its error.
-- The trace has a sample in a function, and the profile may charge it to one that is inlined there: both are held
-- against each other by the function that the code is compiled into, and what is late is shared out by what is charged.
WITH spent AS MATERIALIZED (
    SELECT charged.profile, charged.context AS frame, around.code, frame.role, charged.value AS spent
    FROM charged JOIN around_inlined AS around ON around.frame = charged.context JOIN frame ON frame.frame = charged.context
    WHERE EXISTS (FROM sampled_frame) AND charged.value > 0
),
sampled AS MATERIALIZED (
    SELECT sample.*, whole.spent
    FROM (
        SELECT sample.profile, around.code, frame.role, sum(samples) AS samples, sum(later) AS later,
            sum(distance) AS distance, sum(squares) AS squares, CAST(max(longest) AS HUGEINT) AS longest
        FROM sampled_frame AS sample JOIN around_inlined AS around USING (frame) JOIN frame USING (frame)
        GROUP BY sample.profile, around.code, frame.role
    ) AS sample
    JOIN (SELECT profile, code, role, sum(spent) AS spent FROM spent GROUP BY ALL) AS whole
        ON whole.profile = sample.profile AND whole.code = sample.code AND whole.role = sample.role
),
spread AS (
    SELECT profile, role, variance_of(sum(later), sum(distance), sum(squares)) AS variance, max(longest) AS longest,
        variance_of(nullif(sum(later) - 1, 0), sum(distance) - max(longest), sum(squares) - max(longest) * max(longest)) AS others
    FROM sampled GROUP BY profile, role HAVING sum(later) > 0
),
late AS (
    SELECT cost.profile, cost.code, cost.role, cost.spent, cost.samples, spread.variance, spread.others,
        CASE WHEN cost.longest = spread.longest THEN cost.longest / 1e9 ELSE 0 END AS longest,
        greatest(cost.spent - 2 * cost.samples * line.usual, 0) AS beyond_two,
        CASE WHEN cost.role = 'working' AND punctual.distance IS NOT NULL
            THEN greatest(cost.spent - cost.samples * least(punctual.distance / 1e9, 2 * line.usual), 0) END AS beyond
    FROM sampled AS cost JOIN spread USING (profile, role) LEFT JOIN punctual_distance AS punctual USING (profile, role)
    CROSS JOIN (SELECT max(longest) / 10e9 AS usual FROM trace_line WHERE clock = 'elapsed') AS line
),
told AS (
    SELECT 1 - least(1.96 * sqrt(fsum(samples * variance)), 1.96 * sqrt(fsum(samples * others)) + fsum(least(longest, beyond)))
            / nullif(fsum(beyond), 0) AS least,
        fsum(beyond_two) / nullif(fsum(beyond), 0) AS two FROM late WHERE beyond IS NOT NULL
)
SELECT spent.profile, spent.frame, found.late * (spent.spent / found.spent) AS late, found.beyond * (spent.spent / found.spent) AS beyond
FROM (
    SELECT late.profile, late.code, late.role, late.spent,
        CASE WHEN beyond IS NOT NULL AND told.least > told.two THEN beyond * told.least ELSE beyond_two END AS late,
        CASE WHEN beyond IS NOT NULL AND told.least > 0 THEN beyond ELSE beyond_two END AS beyond
    FROM late CROSS JOIN told
) AS found JOIN spent ON spent.profile = found.profile AND spent.code = found.code AND spent.role = found.role WHERE found.beyond > 0
