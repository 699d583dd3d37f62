/*---
title: Multiprocessor time without a block, in launches with few blocks
unit: ratio
better: lower
definition: >-
  Sum over kernels with fewer blocks than the device has multiprocessors of their time × (1 - blocks / multiprocessors), over the time of all
  kernels with a grid, communication left out of both: the part of the device that has no block while these kernels run.
population: >-
  kernels of which the tool recorded the size of the grid, on all GPUs, but communication (kernel_class), which takes few multiprocessors on
  purpose
needs: [grid, hardware.multiprocessors]
source: the grid of each launch; that a launch has few blocks is Nsight Compute's test (LaunchConfiguration)
caveat: Kernels that run beside others may fill the device together. Blocks of a cluster may share a multiprocessor, and leave more of them empty.
empty: no kernel but communication has a grid
---*/
SELECT coalesce(sum(duration * (1 - blocks / device.multiprocessors)) FILTER (WHERE blocks < device.multiprocessors), 0)
        / nullif(sum(duration), 0) AS value, count(*) AS n
FROM gpu_operation AS ran
JOIN kernel_class AS kind ON kind.context = ran.context AND kind.class <> 'collective'
CROSS JOIN (SELECT hardware.multiprocessors FROM hardware JOIN run ON run.hardware = hardware.name) AS device
WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL HAVING sum(duration) > 0
