/*---
title: Model FLOP utilisation of a sparse peak
unit: ratio
better: neither
definition: >-
  Operations of the model over the median iteration, as a share of twice the device's dense peak: that of matrices with half of their
  entries zero, which vendors print first. See compute.mfu.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations, model_flops_per_iteration, workload.precision, hardware]
source: >-
  a mistake of reports, kept to explain why their number differs; never used in a finding
empty: workload.precision has no peak that is known
---*/
SELECT TRY_CAST(flops.value AS DOUBLE) / step.typical / peak.together / 2 AS value, step.n
FROM setting AS flops
CROSS JOIN (SELECT length / 1e9 AS typical, n FROM iteration_length) AS step
CROSS JOIN device_peak AS peak
WHERE flops.key = 'model_flops_per_iteration' AND step.typical > 0 AND peak.peak > 0
