/*---
title: The device's peak at the model's precision
better: neither
definition: >-
  Dense peak rate of the device's floating-point units at the precision that workload.precision
  names: fp64, fp32, tf32, fp16, bf16 or fp8.
population: the hardware that profile.toml names
needs: [workload.precision, hardware]
source: peaks of the table hardware
caveat: Peaks are nominal and without sparsity; no program reaches them.
empty: workload.precision is none of fp64, fp32, tf32, fp16, bf16, fp8, or its peak is not known
columns:
  - {name: precision, title: 'Precision', unit: text}
  - {name: peak, title: 'Peak', unit: FLOP/s}
---*/
SELECT precision, peak
FROM (
    SELECT upper(setting.value) AS precision, CASE lower(setting.value)
        WHEN 'fp64' THEN greatest(hardware.fp64_flops, hardware.fp64_tensor_flops)
        WHEN 'fp32' THEN hardware.fp32_flops
        WHEN 'tf32' THEN hardware.tf32_flops
        WHEN 'fp16' THEN hardware.fp16_flops
        WHEN 'bf16' THEN hardware.fp16_flops
        WHEN 'fp8' THEN hardware.fp8_flops
        END AS peak
    FROM setting
    JOIN run ON run.run = setting.run
    JOIN hardware ON hardware.name = run.hardware
    WHERE setting.run = $run AND setting.key = 'workload.precision'
)
WHERE peak > 0
