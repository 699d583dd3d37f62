/*---
title: GPU idle share of a step without the profiler
unit: ratio
better: lower
definition: >-
  What the GPU's work leaves of a step that was measured without a profiler (steps.unprofiled): 1 less time.iteration_gpu_busy
  over that step.
population: complete iterations that are no warm-up, of several GPUs the mean; the step as the author of profile.toml measured it
needs: [gpu_trace, iterations, steps, workload.step_time]
source: traces; begin and end of each step; profile.toml
caveat: >-
  Right where operations on the GPU last as long with the profiler as without it. The two steps are of different passes of the
  program, which may differ for other reasons as well.
empty: >-
  no main thread marked a step, the host is in steps not as long as iterations (within a tenth), workload.step_time is no number above 0,
  or the GPU's work takes longer than such a step, which then is of another run
---*/
SELECT 1 - typical.busy / told.step AS value
FROM (SELECT median(gpu_busy) / 1e9 AS busy FROM steady_iterations HAVING count(*) > 0) AS typical
CROSS JOIN iteration_length AS usual
CROSS JOIN (SELECT median(stop - start) AS step FROM host_step HAVING count(*) > 0) AS recorded
CROSS JOIN (SELECT TRY_CAST(value AS DOUBLE) AS step FROM setting WHERE key = 'workload.step_time') AS told
WHERE told.step > 0 AND typical.busy <= told.step AND abs(recorded.step / nullif(usual.length, 0) - 1) < 0.1
