/*---
title: PC sampling period
unit: cycles
better: neither
definition: >-
  Cycles between two PC samples of a multiprocessor: a setting of the measurement.
population: >-
  the smallest entry over all kernels and profiles: the setting is stored once per kernel, so
  its sum means nothing
needs: [sample_period]
source: measure sample_period
empty: no kernel was sampled
---*/
SELECT sample_period() AS value
