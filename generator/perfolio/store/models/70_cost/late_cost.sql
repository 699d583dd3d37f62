/*---
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
    SELECT charged.profile, charged.context AS frame, around.code, frame.role, charged.value AS spent,
        sum(charged.value) OVER (PARTITION BY charged.profile, around.code, frame.role) AS whole
    FROM charged JOIN around_inlined AS around ON around.frame = charged.context JOIN frame ON frame.frame = charged.context
    WHERE EXISTS (FROM sampled_frame) AND charged.value > 0
),
sampled AS MATERIALIZED (
    SELECT sample.*, spent.spent
    FROM (
        SELECT sample.profile, around.code, frame.role, sum(samples) AS samples, sum(later) AS later,
            sum(distance) AS distance, sum(squares) AS squares, CAST(max(longest) AS HUGEINT) AS longest
        FROM sampled_frame AS sample JOIN around_inlined AS around USING (frame) JOIN frame USING (frame)
        GROUP BY sample.profile, around.code, frame.role
    ) AS sample
    JOIN (SELECT DISTINCT profile, code, role, whole AS spent FROM spent) AS spent
        ON spent.profile = sample.profile AND spent.code = sample.code AND spent.role = sample.role
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
