/*---
title: Kernels with an incomplete last wave
better: lower
definition: >-
  Kernels with more than one wave of blocks whose last one does not fill the device: launches, the median of their waves, what whole
  waves would save at most, time × (1 - waves / waves rounded up), and its share of the time of all kernels with a grid. Waves are blocks over the
  blocks that fit on the device at once, by registers, threads and shared memory of the launch.
population: >-
  kernels of which the tool recorded grid, block, registers and shared memory, on all GPUs, but communication (kernel_class); the first 200 by that
  time
needs: [grid, kernel_block_threads, kernel_thread_registers, hardware.multiprocessors, hardware.max_warps, hardware.max_blocks,
  hardware.registers, hardware.shared_memory]
source: the launch of each kernel; NVIDIA's occupancy rules; that waves count is Nsight Compute's (LaunchConfiguration, tail effect)
caveat: At most that is lost, where all waves take equally long. Kernels that run beside others fill the device together.
empty: no kernel has an incomplete last wave
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: short, title: 'Short name', unit: text}
  - {name: launches, title: 'Launches', unit: count}
  - {name: waves, title: 'Waves', unit: '1'}
  - {name: time, title: 'Lost in last waves, at most', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
---*/
WITH launch AS (
    SELECT kernel.kernel, kernel.short, ran.duration, ran.blocks / (
            device.multiprocessors * round(kernel.occupancy * device.max_warps / ceil(kernel.threads / device.warp_size))
        ) AS waves
    FROM gpu_operation AS ran
    JOIN kernel_context AS kernel ON kernel.context = ran.context
    JOIN kernel_class AS kind ON kind.context = ran.context AND kind.class <> 'collective'
    CROSS JOIN (SELECT hardware.* FROM hardware JOIN run ON run.hardware = hardware.name) AS device
    WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL AND kernel.occupancy > 0
)
SELECT kernel, any_value(short) AS short, count(*) AS launches, median(waves) AS waves, sum(duration * (1 - waves / ceil(waves))) / 1e9 AS "time",
    sum(duration * (1 - waves / ceil(waves))) / (SELECT sum(duration) FROM launch) AS share
FROM launch WHERE waves > 1 AND waves <> floor(waves)
GROUP BY kernel
ORDER BY "time" DESC, kernel
LIMIT 200
