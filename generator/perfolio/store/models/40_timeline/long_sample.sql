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
-- as the function's cost on this thread goes. In the trace a point lies in a line of its function,
-- in the profile the cost is the function's.
WITH held AS (
    SELECT sample.profile, enclosing.frame, sum(sample.held) AS samples, sum(sample.ran) AS ran,
        sum(sample.waited) AS waited
    FROM context_samples AS sample JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context GROUP BY ALL
),
long AS (
    SELECT held.profile, held.frame,
        least(1, greatest(charged.value * 1e9 - held.ran, 0) / nullif(held.waited, 0)) AS part
    FROM held JOIN charged ON charged.profile = held.profile AND charged.context = held.frame
    WHERE charged.value * 1e9 > 10 * held.samples * (
        SELECT max(longest / CASE clock WHEN 'running' THEN 1 ELSE 10 END) FROM recorded_line
    )
),
place AS (
    SELECT sample.profile, sample.context, long.part, line.longest
    FROM context_samples AS sample
    JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
    JOIN long ON long.profile = sample.profile AND long.frame = enclosing.frame
    JOIN recorded_line AS line ON line.profile = sample.profile
)
SELECT profile, taken - more AS start, taken AS sample
FROM (
    SELECT sample.profile, sample.taken,
        CAST(floor(greatest(sample.idle, sample.distance - place.longest) * place.part) AS BIGINT) AS more
    FROM host_sample AS sample JOIN place ON place.profile = sample.profile AND place.context = sample.context
    WHERE sample.duration > 0
)
WHERE more > 0
