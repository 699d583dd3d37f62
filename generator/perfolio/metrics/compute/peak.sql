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
SELECT precision, peak FROM device_peak WHERE peak > 0
