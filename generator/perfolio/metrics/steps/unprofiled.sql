/*---
title: Typical step without the profiler
unit: s
better: lower
definition: The time of a step that profile.toml gives in workload.step_time, measured without a profiler.
population: as the author of profile.toml measured it
needs: [steps, workload.step_time]
source: profile.toml
empty: workload.step_time is no number above 0
---*/
SELECT TRY_CAST(value AS DOUBLE) AS value FROM setting WHERE key = 'workload.step_time' AND TRY_CAST(value AS DOUBLE) > 0
