/*---
title: Model FLOP utilisation of steps, of a measured rate
unit: ratio
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
