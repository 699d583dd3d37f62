/*---
title: Memset share of GPU-operation time
unit: ratio
better: lower
definition: >-
  Time of memsets over the time of all GPU operations. A share of GPU-operation time, not of
  wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GMSET (sec), GPUOP (sec)]
source: GMSET (sec) / GPUOP (sec)
empty: the profile records no GPU operation
---*/
SELECT total_of('GMSET (sec)') / nullif(total_of('GPUOP (sec)'), 0) AS value
