/*---
title: Kernels with fewer blocks than multiprocessors
better: lower
definition: >-
  Launches with fewer blocks than the device has multiprocessors, by kernel: how many, the median of their blocks, their time, and the part of
  it that is unused: time × (1 - blocks / multiprocessors), which is also given as a share of the time of all kernels with a grid, communication
  left out.
population: >-
  kernels of which the tool recorded the size of the grid, on all GPUs together, but communication (kernel_class), which takes few
  multiprocessors on purpose; the first 200 by unused time
needs: [grid, hardware.multiprocessors]
source: the grid of each launch; that a launch has few blocks is Nsight Compute's test (LaunchConfiguration)
caveat: Kernels that run beside others may fill the device together. Blocks of a cluster may share a multiprocessor, and leave more of them empty.
empty: no launch has fewer blocks than the device has multiprocessors
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: short, title: 'Short name', unit: text}
  - {name: launches, title: 'Launches', unit: count}
  - {name: blocks, title: 'Blocks', unit: blocks}
  - {name: time, title: 'Time', unit: s}
  - {name: unused, title: 'Unused of it', unit: s}
  - {name: share, title: 'Unused, of kernel time', unit: ratio}
---*/
WITH launch AS (
    SELECT kernel.kernel, kernel.short, ran.duration, ran.blocks, ran.duration * greatest(1 - ran.blocks / device.multiprocessors, 0) AS unused
    FROM gpu_operation AS ran
    JOIN kernel_context AS kernel ON kernel.context = ran.context
    JOIN kernel_class AS kind ON kind.context = ran.context AND kind.class <> 'collective'
    CROSS JOIN (SELECT hardware.multiprocessors FROM hardware JOIN run ON run.hardware = hardware.name) AS device
    WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL
)
SELECT kernel, any_value(short) AS short, count(*) AS launches, median(blocks) AS blocks, sum(duration) / 1e9 AS "time",
    sum(unused) / 1e9 AS unused, sum(unused) / (SELECT sum(duration) FROM launch) AS share
FROM launch WHERE unused > 0
GROUP BY kernel
ORDER BY unused DESC, kernel
LIMIT 200
