/*---
defaults:
  unit: ratio
  better: lower
  population: steps of main threads, complete ones that are no warm-up; 95 % interval over steps
  needs: [steps, operators]
  source: begin and end of operators; the store's tables phase_pattern and operator_pattern
  empty: no main thread marked a step
---*/

/*---
name: added
title: Time that the profiler adds to the steps
unit: s
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

/*---
name: attention_share
title: Steps' time in attention by single operators
definition: >-
  Time in operators of attention that no kernel of its own does: batched products, softmax, masks, what has
  the softmax's sizes, and what reorders values, as a share of the steps: that part of steps.parts.
caveat: >-
  All reordering counts where such a softmax runs, so the share is rather too high than too low.
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'attention'

/*---
name: fusable_share
title: Steps' time outside of products
definition: >-
  Time of main threads in operators that are no products, convolutions or attention, and in no operator at
  all, as a share of the steps: that part of steps.parts.
caveat: >-
  As recorded: the profiler makes short operators, and what lies between them, longer than they are.
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'fusable'

/*---
name: input_share
title: Steps' time spent on input data
definition: >-
  Time in which main threads prepare or await input data, as a share of the steps: that part of steps.parts.
caveat: >-
  As recorded. Input is told by the data loader and by names of functions; other input counts as the rest.
empty: no main thread marked a step, or none was seen to prepare or await input in one
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'input' AND value > 0

/*---
name: longest_operator_share
title: Steps' time in one operator that is no product
definition: >-
  Largest share of steps that main threads spend in the own code of one operator, by name, that is no product, convolution,
  attention, input or optimizer.
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'longest'

/*---
name: mfu
title: Model FLOP utilisation of steps, of a measured rate
better: higher
definition: >-
  Floating-point operations of the model per iteration (from profile.toml) over the typical step, as a share of the
  rate that profile.toml gives in workload.matrix_rate: that of a large matrix product on the same device.
population: steps of main threads, complete ones that are no warm-up
needs: [steps, model_flops_per_iteration, workload.matrix_rate]
source: model FLOP utilisation, as in the paper on PaLM, with a measured rate for the peak
caveat: >-
  Of what a product reaches there, not of a nominal peak, so it is higher than by that. Whatever else ran on the machine
  slowed the product, the steps or both.
empty: workload.matrix_rate is no number above 0, or work of steps ends later on a GPU, whose iterations tell it
---*/
SELECT CAST(flops.value AS DOUBLE) / step.typical / TRY_CAST(rate.value AS DOUBLE) AS value, step.n
FROM setting AS flops CROSS JOIN host_step_time AS step JOIN setting AS rate ON rate.key = 'workload.matrix_rate'
WHERE flops.key = 'model_flops_per_iteration' AND step.typical > 0 AND TRY_CAST(rate.value AS DOUBLE) > 0
    AND NOT EXISTS (FROM gpu_operation)

/*---
name: optimizer_share
title: Steps' time spent in the optimizer
definition: >-
  Time in which main threads are in the optimizer's step or set gradients to zero, as a share of the steps: that part of steps.parts.
caveat: >-
  As recorded: the profiler makes many short operators longer than they are.
empty: no main thread marked a step, or none was seen in an optimizer in one
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'optimizer' AND value > 0

/*---
name: overhead
title: Longer step with the profiler
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

/*---
name: rate
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

/*---
name: typical
title: Median step
unit: s
definition: >-
  How long an iteration lasts where the program or its profiler marks steps, as recorded: time.iteration_median, or in a run without
  GPU operations the median of the steps from begin to end on the host. How long the host alone is in a step is in operators.steps.
population: complete iterations that are no warm-up; without GPU operations steps of main threads, without leading ones that are longer than usual
needs: [steps]
source: begin and end of each step; GPU operations
caveat: As recorded, with what the profiler costs.
empty: no main thread marked a step, and no GPU iteration is complete and no warm-up
---*/
SELECT recorded AS value, n FROM host_step_time

/*---
name: unprofiled
title: Typical step without the profiler
unit: s
definition: The time of a step that profile.toml gives in workload.step_time, measured without a profiler.
population: as the author of profile.toml measured it
needs: [steps, workload.step_time]
source: profile.toml
empty: workload.step_time is no number above 0
---*/
SELECT TRY_CAST(value AS DOUBLE) AS value FROM setting WHERE key = 'workload.step_time' AND TRY_CAST(value AS DOUBLE) > 0
