/*---
title: Longer step with the profiler
unit: ratio
better: lower
definition: >-
  By how much a step (steps.typical) is longer than the step that was measured without a profiler
  (steps.unprofiled), as a share of the latter; below 0 where it is shorter.
population: steps as for steps.typical; the other as the author of profile.toml measured it
needs: [steps, workload.step_time]
source: begin and end of each step; profile.toml
caveat: The two are of different passes of the program, which may differ for other reasons as well.
empty: no main thread marked a step, or workload.step_time is no number above 0
---*/
SELECT recorded.step / told.step - 1 AS value
FROM (SELECT recorded AS step FROM host_step_time) AS recorded
CROSS JOIN (SELECT TRY_CAST(value AS DOUBLE) AS step FROM setting WHERE key = 'workload.step_time') AS told
WHERE told.step > 0
