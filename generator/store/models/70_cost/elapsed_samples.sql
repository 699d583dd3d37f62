/*---
about: >-
  Samples of CPU threads by elapsed time, where that is the CPU event: the frame they are in and what it does
  (frame.role), when they were taken, and their distance from the thread's sample before, NULL of its first
  [ns].
---*/
-- hpcrun marks that a sample came late, by more than five periods, with a point without a context one period
-- after the sample before: that is no sample.
SELECT sample.profile, enclosing.frame, frame.role, sample.taken, sample.taken - sample.before AS distance
FROM (
    SELECT trace.profile, trace.context, CAST(trace."time" AS BIGINT) AS taken,
        lag(CAST(trace."time" AS BIGINT)) OVER (PARTITION BY trace.profile ORDER BY trace."time") AS before
    FROM trace
    JOIN trace_line AS line ON line.profile = trace.profile AND line.clock = 'elapsed' AND line.kind = 'CPU thread'
    WHERE trace.context <> 0 AND cpu_event_of() = 'elapsed_time'
) AS sample
LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
LEFT JOIN frame ON frame.frame = enclosing.frame
