/*---
title: Operations by sizes, of those of profile.toml
unit: x
better: neither
definition: >-
  Floating-point operations of a step of all processes by the sizes of arguments, over those that profile.toml gives an iteration. Far below
  1 one of them is wrong. Above 1 activation checkpointing may run a part again.
population: the median step of each process, the sum over processes
needs: [shapes, steps, model_flops_per_iteration, sized_products]
source: sizes of arguments; the formulas of PyTorch's FlopCounterMode; profile.toml
empty: no operator of a step has sizes that tell its operations
---*/
SELECT done.needed / TRY_CAST(flops.value AS DOUBLE) AS value
FROM typical_operations AS done JOIN setting AS flops ON flops.key = 'model_flops_per_iteration'
WHERE TRY_CAST(flops.value AS DOUBLE) > 0
