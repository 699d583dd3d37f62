/*---
title: Model operations per second of a step
unit: FLOP/s
better: higher
definition: >-
  Floating-point operations of the model per iteration (from profile.toml) over the typical step: that without
  the profiler where profile.toml gives it, else the median of the recorded ones.
population: steps of main threads, complete ones that are no warm-up
needs: [steps, model_flops_per_iteration]
source: profile.toml; begin and end of steps
caveat: The operations are those that the model needs, by its author's count, the profile measures none.
empty: no main thread marked a step, or work of steps ends later on a GPU, whose iterations tell it
---*/
SELECT CAST(setting.value AS DOUBLE) / step.typical AS value, step.n
FROM setting CROSS JOIN host_step_time AS step
WHERE setting.key = 'model_flops_per_iteration' AND step.typical > 0 AND NOT EXISTS (FROM gpu_operation)
