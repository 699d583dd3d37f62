/*---
about: >-
  What each profile charges to functions, at scope function, in the time by which CPU threads were sampled
  (cpu_clock) [s].
---*/
SELECT value.profile, value.context, value.value
FROM value JOIN metric ON metric.id = value.metric
WHERE metric.scope = 'function' AND metric.statistic IS NULL
    AND metric.measure = CASE cpu_clock() WHEN 'running' THEN 'cpu_time' ELSE 'elapsed_time' END
