/*---
title: Model FLOP utilisation without idle time
unit: ratio
better: higher
definition: >-
  Floating-point operations of the model per iteration (from profile.toml) over the median time in
  which GPU operations run in an iteration, as a share of the dense peak, at the precision
  that workload.precision names, of all GPUs that take part: what this run would reach if the GPU never waited. Copies beside no
  kernel then run behind kernels, where no kernel waits for them or they have streams of their own
  (time.copy_waits): their share of busy time in steady iterations is left out. Products that
  were not recorded (compute.missing_products) run at that peak, beside nothing else.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations, model_flops_per_iteration, workload.precision, hardware]
source: model FLOP utilisation, as in the paper on PaLM, with the GPU's busy time for the iteration
caveat: >-
  The operations are those that the model needs, by its author's count: the profile measures none.
empty: workload.precision is none of fp64, fp32, tf32, fp16, bf16, fp8, or its peak is not known
---*/
SELECT flops / busy / together AS value, n
FROM (
    SELECT CAST(setting.value AS DOUBLE) AS flops
    FROM setting WHERE setting.key = 'model_flops_per_iteration'
) AS model, (
    SELECT median(gpu_busy * (1 - coalesce(behind.share, 0)) + missing) / 1e9 AS busy, count(*) AS n
    FROM unrecorded_products
    CROSS JOIN (
        SELECT least(greatest(any_value(alone.copy - wait.copy), 0) + any_value(wait.apart), any_value(alone.copy))
            / nullif(sum(steady.gpu_busy), 0) AS share
        FROM alone_in_parts AS alone
        JOIN copy_waits_in_parts AS wait ON wait.part = alone.part
        CROSS JOIN steady_iterations AS steady
        WHERE alone.part = 'steady iterations'
    ) AS behind
) AS iterations CROSS JOIN device_peak
WHERE busy > 0 AND peak > 0
