/*---
title: Kernels with fewer blocks than multiprocessors
better: lower
definition: >-
  Launches with fewer blocks than the device has multiprocessors, by kernel: how many, the median of their blocks, their time, and its share
  of the time of all kernels with a grid.
population: kernels of which the tool recorded the size of the grid, on all GPUs; the first 200 by time
needs: [grid, hardware.multiprocessors]
source: the grid of each launch; the test is Nsight Compute's (LaunchConfiguration)
caveat: Kernels that run beside others may fill the device together.
empty: no launch has fewer blocks than the device has multiprocessors
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: short, title: 'Short name', unit: text}
  - {name: launches, title: 'Launches', unit: count}
  - {name: blocks, title: 'Blocks', unit: blocks}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
---*/
WITH launch AS (
    SELECT kernel.kernel, kernel.short, ran.duration, ran.blocks, ran.blocks < device.multiprocessors AS small
    FROM gpu_operation AS ran
    JOIN kernel_context AS kernel ON kernel.context = ran.context
    CROSS JOIN (SELECT hardware.multiprocessors FROM hardware JOIN run ON run.hardware = hardware.name) AS device
    WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL
)
SELECT kernel, any_value(short) AS short, count(*) AS launches, median(blocks) AS blocks, sum(duration) / 1e9 AS "time",
    sum(duration) / (SELECT sum(duration) FROM launch) AS share
FROM launch WHERE small
GROUP BY kernel
ORDER BY "time" DESC, kernel
LIMIT 200
