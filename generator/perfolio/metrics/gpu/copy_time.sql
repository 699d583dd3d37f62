/*---
title: Copy time
unit: s
better: lower
definition: >-
  Sum of the durations of explicit copies to, from and on the GPU, summed over all operations,
  streams and devices.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; without
  profile.db, the GPU operations of the trace
needs: [copies]
source: measure copy_time; without costs, traces
---*/
SELECT gpu_time('copy_time', 'copy%') AS value
