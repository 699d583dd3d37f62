/*---
title: Hardware FLOP utilisation
unit: ratio
better: higher
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
