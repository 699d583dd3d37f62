/*---
title: Kernel time in launches of one block, or of one thread per block
unit: ratio
better: lower
definition: >-
  Time of launches that last 100 µs or longer and have one block, or one thread in each block, over the time of all kernels with a grid,
  communication left out of both. Blocks are those of the launch, threads per block the mean over the launches of its calling context.
population: >-
  kernels of which the tool recorded the size of the grid, on all GPUs, but communication (kernel_class), which takes few multiprocessors on
  purpose
needs: [grid, kernel_block_threads]
source: the grid and the blocks of each launch; the limit of 100 µs, below which a launch costs as much as it may save, is proposed
caveat: Kernels that run beside others may fill the device together.
empty: no kernel but communication has a grid
---*/
SELECT coalesce(sum(ran.duration) FILTER (WHERE ran.duration >= 100000 AND (ran.blocks = 1 OR kernel.threads = 1)), 0)
        / nullif(sum(ran.duration), 0) AS value, count(*) AS n
FROM gpu_operation AS ran
JOIN kernel_context AS kernel ON kernel.context = ran.context
JOIN kernel_class AS kind ON kind.context = ran.context AND kind.class <> 'collective'
WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL HAVING sum(ran.duration) > 0
