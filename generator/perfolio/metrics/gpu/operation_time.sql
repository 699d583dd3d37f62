/*---
title: GPU-operation time
unit: s
better: lower
definition: >-
  Sum of the durations of all GPU operations (kernels, copies, memsets and the rest), summed
  over all operations, streams and devices. It already contains kernels and copies; operations
  that overlap count each, so it can exceed wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; without
  profile.db, the GPU operations of the trace
needs: [gpu_operations]
source: measure gpu_operation_time; without costs, traces
---*/
SELECT gpu_time('gpu_operation_time', '%') AS value
