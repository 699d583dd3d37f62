/*---
title: Kernels that mostly move values, share of an iteration
unit: ratio
better: lower
definition: >-
  Share of steady iterations in element-wise kernels, casts and copies on the device, norms, softmax and reductions, by their names. Kernels
  that run at the same time share it by their durations. Kernels that a compiler fused, updates of parameters and indexing are left out.
population: kernels of steady iterations, of several GPUs the mean
needs: [gpu_trace, iterations]
source: names of kernels, in the store's table kernel_pattern
caveat: Known by names only, so that kernels of other names may do the same. A fused kernel takes time as well.
empty: no kernel ran in a steady iteration
---*/
SELECT coalesce(sum(of_iteration) FILTER (WHERE moves), 0) AS value FROM kernel_class_steady HAVING count(*) > 0
