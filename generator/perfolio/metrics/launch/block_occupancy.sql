/*---
title: Occupancy that block sizes allow on any device
unit: ratio
better: higher
definition: >-
  The most that theoretical occupancy can be, by the block size alone: no NVIDIA GPU holds more
  than half as many blocks as warps, so that blocks of one warp fill half of the warp slots at
  most; 100 % for larger blocks. Mean over the time of kernels.
population: >-
  calling contexts of kernels with launch information, weighted by kernel time; matrix products,
  convolutions and attention of libraries and collective operations are left out (kernel_class)
needs: [kernel_time, kernel_launches, kernel_block_threads]
source: >-
  NVIDIA, CUDA C++ programming guide, resident blocks and warps per multiprocessor by compute
  capability: 32 and 64, 16 and 32, 16 and 48, 24 and 48
caveat: A bound. From the mean threads per block of each calling context.
empty: no kernel but products of libraries and collectives has launch information
---*/
SELECT sum("time" * CASE WHEN threads <= 32 THEN 0.5 ELSE 1.0 END) / nullif(sum("time"), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE threads > 0
    AND kind.kind = 'other'
