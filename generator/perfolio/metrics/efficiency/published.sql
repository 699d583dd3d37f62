/*---
title: Utilisation beside published runs
better: neither
definition: >-
  Model FLOP utilisation of this run among that of published training runs, the highest first, and hardware FLOP utilisation where it was
  published, or counted here by a profiler of kernels, or told by the sizes of arguments.
population: the median iteration of this run; the published runs of the store's table published_run
needs: [gpu_trace, iterations, model_flops_per_iteration, workload.precision, hardware]
source: the sources that each row names
caveat: >-
  Of other models, on other devices, and of hundreds of GPUs or more, whose links take a part. A figure with a sparse peak would be half
  as high.
empty: workload.precision is none of fp64, fp32, tf32, fp16, bf16, fp8, or its peak is not known
columns:
  - {name: model, title: 'Model', unit: text}
  - {name: device, title: 'Device', unit: text}
  - {name: mfu, title: 'Model FLOP utilisation', unit: ratio}
  - {name: hfu, title: 'Hardware FLOP utilisation', unit: ratio}
  - {name: source, title: 'Source', unit: text}
---*/
WITH own AS (
    SELECT TRY_CAST(flops.value AS DOUBLE) / step.typical / peak.together AS mfu,
        coalesce(counted.flop / TRY_CAST(counted.steps AS DOUBLE), done.flop) / step.typical / peak.together AS hfu
    FROM setting AS flops
    CROSS JOIN (SELECT length / 1e9 AS typical FROM iteration_length) AS step
    CROSS JOIN device_peak AS peak
    LEFT JOIN (SELECT done AS flop FROM typical_operations WHERE NOT EXISTS (FROM product_cover WHERE told < 0.95 * whole)) AS done ON true
    LEFT JOIN (
        SELECT sum(flop) AS flop, (SELECT any_value(value) FROM setting WHERE key = 'workload.counted_steps') AS steps
        FROM counted_launch HAVING count(*) = count(flop)
    ) AS counted ON true
    WHERE flops.key = 'model_flops_per_iteration' AND step.typical > 0 AND peak.peak > 0
)
SELECT model, device, mfu, hfu, source
FROM (
    SELECT 'this run' AS model, (SELECT hardware FROM run) AS device, mfu, hfu, 'this profile' AS source, 0 AS rank FROM own
    UNION ALL
    SELECT published.model, published.device, published.mfu, published.hfu, published.source, 1 FROM published_run AS published
        WHERE EXISTS (FROM own)
)
ORDER BY mfu DESC, rank, model
