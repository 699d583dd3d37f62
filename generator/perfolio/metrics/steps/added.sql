/*---
title: Time that the profiler adds to the steps
unit: s
better: lower
definition: >-
  By how much a step (steps.typical) is longer than the step that was measured without a profiler
  (steps.unprofiled), times the number of steps; 0 where it is shorter.
population: all steps of a main thread; of several ranks the mean. The other step as the author of profile.toml measured it
needs: [steps, workload.step_time]
source: begin and end of each step; profile.toml
caveat: The two are of different passes of the program, which may differ for other reasons as well.
empty: no main thread marked a step, or workload.step_time is no number above 0
---*/
SELECT greatest(recorded.step - told.step, 0) * marked.steps AS value
FROM (SELECT recorded AS step FROM host_step_time) AS recorded
CROSS JOIN (
    SELECT count(*) / count(DISTINCT profile) AS steps
    FROM host_range WHERE kind = 'step' AND profile IN (SELECT profile FROM main_threads)
) AS marked
CROSS JOIN (SELECT TRY_CAST(value AS DOUBLE) AS step FROM setting WHERE key = 'workload.step_time') AS told
WHERE told.step > 0
