/*---
title: Steady state
unit: s
better: neither
definition: >-
  Time of the iterations after the warm-up, or of the GPU span where no iterations were found.
population: >-
  GPU operations
needs: [gpu_trace]
source: traces
empty: every iteration is warm-up
---*/
SELECT sum(duration) FILTER (WHERE phase = 'steady state') / 1e9 AS value FROM run_phases
