/*---
defaults:
  better: higher
  population: complete iterations that are no warm-up
  needs: [gpu_trace, iterations, model_flops_per_iteration, workload.precision, hardware]
---*/

/*---
name: mfu
title: Model FLOP utilisation
unit: ratio
definition: >-
  Floating-point operations of the model per iteration on all GPUs (from profile.toml) over the median
  iteration, as a share of the dense peak, at the precision that workload.precision
  names (fp64, fp32, tf32, fp16, bf16 or fp8), of all GPUs that take part together.
population: complete iterations that are no warm-up; all recorded ranks, and the GPUs with a share of their work
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

/*---
name: missing_products
title: Matrix products that were not recorded, per iteration
unit: s
better: lower
definition: >-
  By how much the model's operations per iteration (from profile.toml), at the device's dense peak
  at the precision that workload.precision names, take longer than all recorded kernels ran that
  may compute them: the median over iterations. At least so much kernel time is missing from the
  record; 0 where the recorded kernels can have done all of it.
source: profile.toml, traces and the names of kernels
caveat: >-
  0 proves nothing: no kernel reaches the peak. Kernels that may use faster units than the
  precision's, or an algorithm with fewer operations, count at the device's highest peak.
empty: workload.precision is none of fp64, fp32, tf32, fp16, bf16, fp8, or its peak is not known
---*/
SELECT median(missing) / 1e9 AS value, count(*) AS n
FROM unrecorded_products CROSS JOIN device_peak
WHERE peak > 0
HAVING count(*) > 0

/*---
name: rate
title: Model operations per second
unit: FLOP/s
definition: >-
  Floating-point operations of the model per iteration (from profile.toml) over the median
  iteration.
needs: [gpu_trace, iterations, model_flops_per_iteration]
source: profile.toml and traces
caveat: The operations are those that the model needs, by its author's count, the profile measures none.
---*/
SELECT CAST(setting.value AS DOUBLE) / typical AS value, n
FROM setting, (
    SELECT length / 1e9 AS typical, n FROM iteration_length
) AS iterations
WHERE setting.key = 'model_flops_per_iteration' AND typical > 0
