/*---
title: Memset share of GPU-operation time
unit: ratio
better: lower
definition: >-
  Time of memsets over the time of all GPU operations. A share of GPU-operation time, not of
  wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [memset_time, gpu_operation_time]
source: memset_time / gpu_operation_time
empty: the profile records no GPU operation
---*/
SELECT total_of('memset_time') / nullif(total_of('gpu_operation_time'), 0) AS value
