/*---
about: >-
  Samples of CPU threads that stand for the time before them too: by the profile, those of their function on
  this thread carry more than ten periods each. A thread gets no sample within a call of the kernel, which may
  take seconds.
when: trace
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  start: >-
    BIGINT; Begin of the time that the sample stands for, since the epoch: not before the end of the sample
    before, and together with the others of its function no more than the profile says [ns]
  sample: BIGINT; Moment of the sample, since the epoch [ns]
---*/
-- A thread that is within a call of the kernel gets its sample only when it returns. The profile
-- tells: it charges that sample with all that passed since the one before. So where the samples of
-- a function carry more than ten periods each, the idle time before them was no idle time, as far
-- as the function's cost on this thread goes.
WITH recorded AS (
    SELECT value.profile, value.context AS frame, value.value * 1e9 AS spent
    FROM value
    JOIN metric ON metric.id = value.metric AND metric.scope = 'function' AND metric.statistic IS NULL
        AND metric.measure = CASE cpu_clock() WHEN 'running' THEN 'cpu_time' ELSE 'elapsed_time' END
    JOIN context ON context.id = value.context AND context.relation <> 'lexical'
),
-- In the trace a point lies in a line of its function, in the profile the cost is the function's.
held AS (
    SELECT sample.profile, enclosing.frame, count(*) AS samples
    FROM cpu_samples AS sample
    JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
    GROUP BY ALL
),
long AS MATERIALIZED (
    SELECT held.profile, held.frame, recorded.spent
    FROM held
    JOIN recorded ON recorded.profile = held.profile AND recorded.frame = held.frame
    WHERE recorded.spent > 10 * held.samples * (
        SELECT max(longest / CASE clock WHEN 'running' THEN 1 ELSE 10 END) FROM recorded_line
    )
),
part AS (
    SELECT profile, context, start, stop, start - coalesce(lag(stop) OVER (PARTITION BY profile ORDER BY start), start) AS before
    FROM first_interval
    WHERE profile IN (SELECT profile FROM long)
),
stretched AS (
    SELECT part.profile, part.start,
        CAST(floor(part.before * least(1, greatest(long.spent - sum(part.stop - part.start) OVER same, 0) / nullif(sum(part.before) OVER same, 0))) AS BIGINT) AS more
    FROM part
    JOIN enclosing_frame AS enclosing ON enclosing.context = part.context
    JOIN long ON long.profile = part.profile AND long.frame = enclosing.frame
    WINDOW same AS (PARTITION BY part.profile, long.frame)
)
SELECT profile, start - more, start
FROM stretched
WHERE more > 0
