/*---
about: >-
  How long a typical step takes (host_step): without the profiler where profile.toml says so in workload.step_time,
  else the median as recorded; and how many were recorded.
when: FROM host_range WHERE kind = 'step'
columns:
  typical: DOUBLE; Time of a step [s]
  recorded: DOUBLE; Median of the recorded steps [s]
  n: BIGINT; Recorded steps [count]
---*/
SELECT coalesce((
        SELECT any_value(TRY_CAST(value AS DOUBLE)) FROM setting WHERE key = 'workload.step_time' AND TRY_CAST(value AS DOUBLE) > 0
    ), median(stop - start) / 1e9) AS typical,
    median(stop - start) / 1e9 AS recorded, count(*) AS n
FROM host_step HAVING count(*) > 0
