/*---
name: unrecorded_products
about: >-
  Steady iterations: the time in which GPU operations ran, and how much longer the operations of the model take
  at the device's peak than all recorded kernels ran that may compute them, which is the least that is missing
  from the record; both per GPU [ns]. Kernels whose names do not exclude faster units, or an algorithm with
  fewer operations, count at the device's highest peak.
---*/
WITH needed AS (
    SELECT CAST(setting.value AS DOUBLE) / device_peak.peak * 1e9 AS "time", device_peak.precision,
        greatest(
            hardware.fp64_flops, hardware.fp64_tensor_flops, hardware.fp32_flops, hardware.tf32_flops,
            hardware.fp16_flops, hardware.fp8_flops
        ) / device_peak.peak AS fastest
    FROM setting
    CROSS JOIN device_peak
    CROSS JOIN run
    JOIN hardware ON hardware.name = run.hardware
    WHERE setting.key = 'model_flops_per_iteration' AND device_peak.peak > 0
),
product AS (
    SELECT kernel.context, CASE
        WHEN kind.kind <> 'library product' THEN needed.fastest
        WHEN needed.precision IN ('FP32', 'FP64')
            AND NOT regexp_matches(
                lower(kernel.name),
                '(tf32|f16|half|e4m3|e5m2|f(p)?8|s1688|s16816|tensorop|gmma|flash_|fmha|cudnn|cijk_|winograd|fft)'
            ) THEN 1.0
        WHEN needed.precision IN ('FP16', 'BF16')
            AND NOT regexp_matches(lower(kernel.name), '(e4m3|e5m2|f(p)?8|cijk_|winograd|fft)') THEN 1.0
        ELSE needed.fastest
        END AS rate
    FROM context_name AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context CROSS JOIN needed
    -- No product is what its name says: communication, element-wise, a reduction, a sort or an access by index.
    WHERE kind.class <> 'collective'
        AND (kind.kind = 'library product' OR NOT regexp_matches(
            lower(kernel.name),
            '(at::native|at_cuda_detail|cub::|thrust::|elementwise|reduce_kernel|embedding|indexing|triton_(poi|red|per)_)'
        ))
),
ran AS (
    SELECT iteration.iteration, sum(operation.duration * product.rate) AS "time"
    FROM gpu_operation AS operation
    JOIN product ON product.context = operation.context
    ASOF JOIN steady_iterations AS iteration ON operation.start >= iteration.start
    WHERE operation.start < iteration.start + iteration.duration
    GROUP BY iteration.iteration
)
SELECT iteration.iteration, iteration.gpu_busy,
    coalesce(greatest(needed."time" - coalesce(ran."time", 0), 0) / gpus.number, 0) AS missing
FROM steady_iterations AS iteration
LEFT JOIN needed ON true
LEFT JOIN ran ON ran.iteration = iteration.iteration
CROSS JOIN (SELECT greatest(gpus(), 1) AS number) AS gpus
