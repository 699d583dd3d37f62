/*---
title: Hardware FLOP utilisation, by sizes
unit: ratio
better: higher
definition: >-
  The time that products, attention and convolutions, with the scores that fused attention computes again, of a step take at the device's
  dense peaks for the types of their arguments, by the sizes of arguments, over the median iteration: at least, where
  kernels of products run whose operations no sizes tell.
population: the median step of each process, the sum over processes, and the median iteration
needs: [shapes, types, steps, gpu_trace, iterations, hardware, sized_products]
source: sizes and types of arguments; the formulas of PyTorch's FlopCounterMode; dense peaks of the table hardware
caveat: >-
  Computed, not measured. Causal attention counts without what its mask leaves out where the trace tells that it is
  causal, unlike in model FLOP utilisation, which may be higher for that reason. Products in FP32
  count at the FP32 peak, also where TF32 is allowed. What activation checkpointing runs again is in it.
empty: no operator of a step has sizes that tell its operations, or a peak is not known
---*/
SELECT done.least / step.typical AS value, done.least / step.typical AS low,
    (done.least + greatest(coalesce(cover.whole - cover.rated, 0), 0) / step.n / gpus()) / step.typical AS high,
    if(cover.rated < cover.whole, NULL, step.n) AS n, if(cover.rated < cover.whole, 'possible range', NULL) AS interval
FROM (SELECT least AS least FROM typical_operations) AS done
CROSS JOIN (SELECT length / 1e9 AS typical, n FROM iteration_length) AS step
LEFT JOIN product_cover AS cover ON true
WHERE done.least > 0 AND step.typical > 0
