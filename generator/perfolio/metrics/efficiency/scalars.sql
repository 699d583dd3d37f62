/*---
defaults:
  unit: ratio
  better: higher
  population: the median step of each process, the sum over processes, and the median iteration
  needs: [shapes, types, steps, gpu_trace, iterations, hardware, sized_products]
  source: sizes and types of arguments; the formulas of PyTorch's FlopCounterMode; dense peaks of the table hardware
  empty: no operator of a step has sizes that tell its operations, or a peak is not known
---*/

/*---
name: hfu
title: Hardware FLOP utilisation
definition: >-
  Operations that were counted in one step by a profiler of kernels, over the median iteration, as a share of the dense peak at
  workload.precision of all GPUs that take part: with what was recomputed, which model FLOP utilisation leaves out.
population: one counted step, and complete iterations of the trace that are no warm-up
needs: [counters, counted_operations, gpu_trace, iterations, workload.precision, hardware, workload.counted_steps]
source: hardware FLOP utilisation, as in the paper on PaLM; counters of Nsight Compute
caveat: >-
  Valid where the counted launches are those of the steps that workload.counted_steps names. Operations of vector units count against the peak of
  tensor cores.
empty: workload.counted_steps is no number above 0, or some launch was not counted whole
---*/
SELECT counted.flop / TRY_CAST(steps.value AS DOUBLE) / step.typical / peak.together AS value, step.n
FROM (SELECT sum(flop) AS flop, count(*) - count(flop) AS unknown FROM counted_launch) AS counted
CROSS JOIN (SELECT length / 1e9 AS typical, n FROM iteration_length) AS step
CROSS JOIN device_peak AS peak
JOIN setting AS steps ON steps.key = 'workload.counted_steps'
WHERE counted.flop > 0 AND counted.unknown = 0 AND step.typical > 0 AND peak.peak > 0 AND TRY_CAST(steps.value AS DOUBLE) > 0

/*---
name: hfu_by_sizes
title: Hardware FLOP utilisation, by sizes
definition: >-
  The time that products, attention and convolutions, with the scores that fused attention computes again, of a step take at the device's
  dense peaks for the types of their arguments, by the sizes of arguments, over the median iteration: at least, where
  kernels of products run whose operations no sizes tell.
caveat: >-
  Computed, not measured. Causal attention counts without what its mask leaves out where the trace tells that it is
  causal, unlike in model FLOP utilisation, which may be higher for that reason. Products in FP32
  count at the FP32 peak, also where TF32 is allowed. What activation checkpointing runs again is in it.
---*/
SELECT done.least / step.typical AS value, done.least / step.typical AS low,
    (done.least + greatest(coalesce(cover.whole - cover.rated, 0), 0) / step.n / gpus()) / step.typical AS high,
    if(cover.rated < cover.whole, NULL, step.n) AS n, if(cover.rated < cover.whole, 'possible range', NULL) AS interval
FROM (SELECT least AS least FROM typical_operations) AS done
CROSS JOIN (SELECT length / 1e9 AS typical, n FROM iteration_length) AS step
LEFT JOIN product_cover AS cover ON true
WHERE done.least > 0 AND step.typical > 0

/*---
name: mfu_by_sizes
title: Model FLOP utilisation, by sizes
definition: >-
  The time that the model's products, attention and convolutions of a step take at the dense peaks of all GPUs for the types of their
  arguments, by the sizes of arguments, over the median iteration: at least, where
  kernels of products run whose operations no sizes tell.
caveat: >-
  Computed, not measured. Causal attention counts in full, though kernels leave out half of it. Products in FP32
  count at the FP32 peak, also where TF32 is allowed. What activation checkpointing runs again is in it.
---*/
SELECT done.least / step.typical AS value, done.least / step.typical AS low,
    (done.least + greatest(coalesce(cover.whole - cover.rated, 0), 0) / step.n / gpus()) / step.typical AS high,
    if(cover.rated < cover.whole, NULL, step.n) AS n, if(cover.rated < cover.whole, 'possible range', NULL) AS interval
FROM (SELECT needed_least AS least FROM typical_operations) AS done
CROSS JOIN (SELECT length / 1e9 AS typical, n FROM iteration_length) AS step
LEFT JOIN product_cover AS cover ON true
WHERE done.least > 0 AND step.typical > 0

/*---
name: sized_share
title: Product kernels whose operations sizes tell
definition: >-
  Of the time of kernels that compute products, convolutions or attention, the share of those launched from an operator whose sizes tell
  its operations exactly. What is missing makes operations by sizes a lower bound.
population: kernels of the steady iterations, or of the run where there are none, over all GPUs
needs: [shapes, gpu_trace]
source: names of kernels, in the store's table kernel_pattern; sizes of arguments, in operation_pattern; traces
caveat: >-
  Kernels of a graph belong to no operator. Of packed sequences the lengths are not recorded, and of the backward pass of a convolution
  older versions of PyTorch do not record which gradients it computes: neither counts.
empty: no kernel computes products, convolutions or attention, by its name
---*/
SELECT told / whole AS value FROM product_cover WHERE whole > 0

/*---
name: sizes_ratio
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

/*---
name: tokens
title: Tokens per second
unit: tokens/s
definition: Tokens of a step (workload.batch_size times workload.sequence_length of profile.toml) over the median iteration.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations, workload.batch_size, workload.sequence_length]
source: profile.toml and traces
caveat: Of the ranks that batch_size is of; padding counts as tokens. The profiler's own cost is in the iteration.
empty: workload.batch_size or workload.sequence_length is no number above 0
---*/
SELECT TRY_CAST(batch.value AS DOUBLE) * TRY_CAST(length.value AS DOUBLE) / step.typical AS value, step.n
FROM (SELECT length / 1e9 AS typical, n FROM iteration_length) AS step
JOIN setting AS batch ON batch.key = 'workload.batch_size'
JOIN setting AS length ON length.key = 'workload.sequence_length'
WHERE step.typical > 0 AND TRY_CAST(batch.value AS DOUBLE) > 0 AND TRY_CAST(length.value AS DOUBLE) > 0
