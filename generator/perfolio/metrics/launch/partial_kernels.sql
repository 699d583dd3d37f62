/*---
title: Kernels with partly filled warps
better: lower
definition: >-
  Kernels whose threads per block are no multiple of the warp, by their blocks' size: how many launches, their time, its share of the time of
  all kernels, and the share of their lanes that has no thread.
population: calling contexts of kernels, on all GPUs together; the first 200 by time
needs: [kernel_time, kernel_launches, kernel_block_threads]
source: Nsight Compute's rule on launch configuration
caveat: >-
  From the mean threads per block of each calling context: one that launches several block sizes
  counts as a whole. Without a known device a warp has 32 threads.
empty: no kernel has launch information, or all blocks are whole warps
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: short, title: 'Short name', unit: text}
  - {name: threads, title: 'Threads per block', unit: threads}
  - {name: launches, title: 'Launches', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
  - {name: idle, title: 'Lanes without a thread', unit: ratio}
---*/
SELECT kernel, any_value(short) AS short, threads, sum(launches) AS launches, sum("time") AS "time",
    sum("time") / (SELECT sum("time") FROM kernel_context) AS share,
    1 - threads / (ceil(threads / any_value(warp.size)) * any_value(warp.size)) AS idle
FROM kernel_context
CROSS JOIN (
    SELECT coalesce(any_value(hardware.warp_size), 32) AS size
    FROM run JOIN hardware ON hardware.name = run.hardware
) AS warp
WHERE threads > 0 AND threads % warp.size <> 0
GROUP BY kernel, threads
ORDER BY "time" DESC, kernel, threads
LIMIT 200
