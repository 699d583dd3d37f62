/*---
title: Model FLOP utilisation
unit: ratio
better: higher
definition: >-
  Floating-point operations of the model per iteration on all GPUs (from profile.toml) over the median
  iteration, as a share of the dense peak, at the precision that workload.precision
  names (fp64, fp32, tf32, fp16, bf16 or fp8), of all GPUs that take part together.
population: complete iterations that are no warm-up; all recorded ranks, and the GPUs with a share of their work
needs: [gpu_trace, iterations, model_flops_per_iteration, workload.precision, hardware]
source: model FLOP utilisation, as in the paper on PaLM; peaks of the table hardware
caveat: >-
  The operations are those that the model needs, by its author's count: the profile measures none.
  Peaks are nominal and without sparsity; no program reaches them.
empty: workload.precision is none of fp64, fp32, tf32, fp16, bf16, fp8, or its peak is not known
---*/
SELECT flops / typical / together AS value, n
FROM (
    SELECT CAST(setting.value AS DOUBLE) AS flops
    FROM setting WHERE setting.key = 'model_flops_per_iteration'
) AS model, (
    SELECT length / 1e9 AS typical, n FROM iteration_length
) AS iterations CROSS JOIN device_peak
WHERE typical > 0 AND peak > 0
