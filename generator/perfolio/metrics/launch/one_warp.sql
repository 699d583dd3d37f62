/*---
title: Kernel time in blocks of one warp
unit: ratio
better: lower
definition: Share of kernel time in launches whose blocks have 32 threads or fewer, one warp.
population: >-
  calling contexts of kernels with launch information, weighted by kernel time; matrix products,
  convolutions and attention of libraries and collective operations are left out (kernel_class)
needs: [kernel_time, kernel_launches, kernel_block_threads]
source: NVIDIA, CUDA C++ programming guide, limits by compute capability
caveat: From the mean threads per block of each calling context.
empty: no kernel but products of libraries and collectives has launch information
---*/
SELECT coalesce(sum("time") FILTER (WHERE threads <= 32), 0) / nullif(sum("time"), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE threads > 0
    AND kind.kind = 'other'
