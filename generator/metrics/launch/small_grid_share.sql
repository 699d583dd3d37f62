/*---
title: Kernel time in launches with fewer blocks than multiprocessors
unit: ratio
better: lower
definition: >-
  Time of kernels whose launch has fewer blocks than the device has multiprocessors, so that some have no work, over the
  time of all kernels with a grid.
population: kernels of which the tool recorded the size of the grid, on all GPUs
needs: [grid, hardware.multiprocessors]
source: the grid of each launch; the test is Nsight Compute's (LaunchConfiguration)
caveat: Kernels that run beside others may fill the device together.
empty: no kernel has a grid
---*/
SELECT coalesce(sum(duration) FILTER (WHERE blocks < device.multiprocessors), 0) / nullif(sum(duration), 0) AS value, count(*) AS n
FROM gpu_operation CROSS JOIN (SELECT hardware.multiprocessors FROM hardware JOIN run ON run.hardware = hardware.name) AS device
WHERE operation = 'kernel' AND blocks IS NOT NULL HAVING sum(duration) > 0
