/*---
about: >-
  Elapsed time of samples that wait in functions to which the thread's profile charges nothing (around_inlined),
  right below a frame of Python: the profile charges it to that frame, or to one of Python that it calls [s].
---*/
WITH charged AS (
    SELECT DISTINCT value.profile, around.code
    FROM value
    JOIN metric ON metric.id = value.metric AND metric.measure = 'elapsed_time'
        AND metric.scope = 'function' AND metric.statistic IS NULL
    JOIN around_inlined AS around ON around.frame = value.context
    WHERE value.value > 0
)
SELECT sample.profile, frame.caller, sum(sample.distance) / 1e9 AS spent
FROM elapsed_samples AS sample
JOIN around_inlined AS around ON around.frame = sample.frame
JOIN frame ON frame.frame = around.code
JOIN frame AS outer_one ON outer_one.frame = frame.caller AND outer_one.module_path = python_module()
WHERE sample.role = 'waiting' AND NOT EXISTS (FROM charged WHERE charged.profile = sample.profile AND charged.code = around.code)
GROUP BY sample.profile, frame.caller
HAVING sum(sample.distance) > 0
