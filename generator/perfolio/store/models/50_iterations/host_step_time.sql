/*---
about: >-
  How long a step takes that the program marks: without the profiler where profile.toml says so in workload.step_time,
  else as recorded (iteration_length); and how many were recorded.
when: FROM host_range WHERE kind = 'step'
columns:
  typical: DOUBLE; Time of a step [s]
  recorded: DOUBLE; The recorded steps' length [s]
  n: BIGINT; Recorded steps [count]
---*/
WITH told AS (SELECT max(TRY_CAST(value AS DOUBLE)) AS time FROM setting WHERE key = 'workload.step_time' AND TRY_CAST(value AS DOUBLE) > 0)
SELECT coalesce(told.time, length / 1e9) AS typical, length / 1e9 AS recorded, n
FROM iteration_length CROSS JOIN told WHERE EXISTS (FROM host_range WHERE kind = 'step')
