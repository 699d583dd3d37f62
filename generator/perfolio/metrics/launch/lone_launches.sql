/*---
title: Kernels launched with one block, or with one thread per block
better: lower
definition: >-
  Launches that last 100 µs or longer and have one block, or one thread in each block, by kernel: how many, the median of their blocks, the
  most threads per block, their time, and its share of the time of all kernels. Threads per block are the mean over the launches of a
  calling context.
population: >-
  kernels of which the tool recorded the size of the grid, on all GPUs together, but communication (kernel_class), which takes few
  multiprocessors on purpose
needs: [grid, kernel_block_threads, kernel_time]
source: the grid and the blocks of each launch; the limit of 100 µs, below which a launch costs as much as it may save, is proposed
caveat: Kernels that run beside others may fill the device together.
empty: no launch of 100 µs or longer has one block, or one thread per block
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: short, title: 'Short name', unit: text}
  - {name: launches, title: 'Launches', unit: count}
  - {name: blocks, title: 'Blocks', unit: blocks}
  - {name: threads, title: 'Threads per block', unit: threads}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
---*/
SELECT kernel.kernel, any_value(kernel.short) AS short, count(*) AS launches, median(ran.blocks) AS blocks, max(kernel.threads) AS threads,
    sum(ran.duration) / 1e9 AS "time", sum(ran.duration) / 1e9 / nullif(total_of('kernel_time'), 0) AS share
FROM gpu_operation AS ran
JOIN kernel_context AS kernel ON kernel.context = ran.context
JOIN kernel_class AS kind ON kind.context = ran.context AND kind.class <> 'collective'
WHERE ran.operation = 'kernel' AND ran.duration >= 100000 AND (ran.blocks = 1 OR kernel.threads = 1) AND ran.blocks IS NOT NULL
GROUP BY kernel.kernel
ORDER BY "time" DESC, kernel.kernel
