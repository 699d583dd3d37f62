/*---
title: GPU idle share of a step without the profiler
unit: ratio
better: lower
definition: >-
  What the GPU's work leaves of a step that was measured without a profiler (steps.unprofiled): 1 less the busy share of a
  typical iteration times steps.typical over steps.unprofiled, by medians; 0 where the work takes longer than that step.
population: complete iterations that are no warm-up, of several GPUs the mean; the step as the author of profile.toml measured it
needs: [gpu_trace, iterations, steps, workload.step_time]
source: traces; begin and end of each step; profile.toml
caveat: >-
  Right where operations on the GPU last as long with the profiler as without it. The two steps are of different passes of the
  program, which may differ for other reasons as well.
empty: no main thread marked a step, there are no steady iterations, or workload.step_time is no number above 0
---*/
SELECT greatest(1 - typical.busy * recorded.step / told.step, 0) AS value
FROM (SELECT median(gpu_busy) / nullif(median(duration), 0) AS busy FROM steady_iterations HAVING count(*) > 0) AS typical
CROSS JOIN (SELECT median(stop - start) / 1e9 AS step FROM host_step HAVING count(*) > 0) AS recorded
CROSS JOIN (SELECT TRY_CAST(value AS DOUBLE) AS step FROM setting WHERE key = 'workload.step_time') AS told
WHERE told.step > 0
