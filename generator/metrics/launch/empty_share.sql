/*---
title: Multiprocessor time without a block, in launches with few blocks
unit: ratio
better: lower
definition: >-
  Sum over kernels with fewer blocks than the device has multiprocessors of their time × (1 - blocks / multiprocessors), over the time of all
  kernels with a grid: the part of the device that has no block while these kernels run.
population: kernels of which the tool recorded the size of the grid, on all GPUs
needs: [grid, hardware.multiprocessors]
source: the grid of each launch; that a launch has few blocks is Nsight Compute's test (LaunchConfiguration)
caveat: Kernels that run beside others may fill the device together. Blocks of a cluster may share a multiprocessor, and leave more of them empty.
empty: no kernel has a grid
---*/
SELECT coalesce(sum(duration * (1 - blocks / device.multiprocessors)) FILTER (WHERE blocks < device.multiprocessors), 0)
        / nullif(sum(duration), 0) AS value, count(*) AS n
FROM gpu_operation CROSS JOIN (SELECT hardware.multiprocessors FROM hardware JOIN run ON run.hardware = hardware.name) AS device
WHERE operation = 'kernel' AND blocks IS NOT NULL HAVING sum(duration) > 0
