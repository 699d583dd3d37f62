/*---
about: >-
  The precision that profile.toml gives the model, and the peak of the device at it without sparsity, NULL where
  that is not known, and of all GPUs that take part together [FLOP/s].
---*/
SELECT precision, peak, peak * greatest(gpus(), 1) AS together
FROM (
    SELECT upper(setting.value) AS precision, CASE lower(setting.value)
        WHEN 'fp64' THEN greatest(hardware.fp64_flops, hardware.fp64_tensor_flops)
        WHEN 'fp32' THEN hardware.fp32_flops
        WHEN 'tf32' THEN hardware.tf32_flops
        WHEN 'fp16' THEN hardware.fp16_flops
        WHEN 'bf16' THEN hardware.fp16_flops
        WHEN 'fp8' THEN hardware.fp8_flops
        END AS peak
    FROM setting CROSS JOIN run JOIN hardware ON hardware.name = run.hardware WHERE setting.key = 'workload.precision'
)
