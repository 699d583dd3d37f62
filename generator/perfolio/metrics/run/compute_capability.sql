/*---
title: Compute capability
unit: "1"
better: neither
definition: CUDA compute capability of the device that profile.toml names.
population: the run's row of table hardware
needs: [hardware.compute_capability]
source: table hardware
---*/
SELECT hardware.compute_capability AS value
FROM run JOIN hardware ON hardware.name = run.hardware
