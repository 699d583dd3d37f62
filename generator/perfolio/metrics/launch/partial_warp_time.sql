/*---
title: Kernel time in launches with partly filled warps
unit: s
better: lower
definition: Time of kernels whose threads per block are no multiple of the warp, summed over launches.
population: calling contexts of kernels
needs: [kernel_time, kernel_launches, kernel_block_threads]
source: Nsight Compute's rule on launch configuration
caveat: >-
  From the mean threads per block of each calling context: one that launches several block sizes
  counts as a whole. Without a known device a warp has 32 threads.
empty: no kernel has launch information
---*/
SELECT coalesce(sum("time") FILTER (WHERE threads % warp.size <> 0), 0) AS value
FROM kernel_context
CROSS JOIN (
    SELECT coalesce(any_value(hardware.warp_size), 32) AS size
    FROM run JOIN hardware ON hardware.name = run.hardware
) AS warp
WHERE threads > 0
HAVING count(*) > 0
