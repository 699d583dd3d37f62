/*---
title: Matrix products that were not recorded, per iteration
unit: s
better: lower
definition: >-
  By how much the model's operations per iteration (from profile.toml), at the device's dense peak
  at the precision that workload.precision names, take longer than all recorded kernels ran that
  may compute them: the median over iterations. At least so much kernel time is missing from the
  record; 0 where the recorded kernels can have done all of it.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations, model_flops_per_iteration, workload.precision, hardware]
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
