/*---
about: >-
  Time that CPU threads ran by calling context: how long they stayed there (host_stay), or by samples. A thread runs from a sample on for
  trace_line.longest at most, and before it where it is a long_sample: see cpu_interval.
when: EXISTS (FROM trace) OR EXISTS (FROM host_stay)
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  context: UINTEGER; Calling context [id]
  duration: BIGINT; Time [ns]
---*/
-- A long sample is two stretches: from it on, and before it.
SELECT profile, context, CAST(sum(ran) AS BIGINT) AS duration
FROM (
    SELECT sample.profile, sample.context, least(line.longest, sample.stay) AS ran
    FROM host_sample AS sample JOIN trace_line AS line ON line.profile = sample.profile WHERE sample.duration > 0
    UNION ALL
    SELECT sample.profile, sample.context, long.sample - long.start
    FROM long_sample AS long
    JOIN host_sample AS sample
        ON sample.profile = long.profile AND sample.taken = long.sample AND sample.duration > 0
    UNION ALL
    SELECT profile, context, duration FROM host_stay
)
GROUP BY profile, context
