/*---
title: Kernel time lost in last, incomplete waves, at most
unit: ratio
better: lower
definition: >-
  Of kernels of more than one wave of blocks, time × (1 - waves / waves rounded up), over the time of all kernels with a grid: what whole
  waves would save, as a last wave that does not fill the device takes as long as a full one. Waves are blocks over the blocks that
  fit on the device at once, by registers, threads and shared memory of the launch.
population: kernels of which the tool recorded grid, block, registers and shared memory, on all GPUs, but communication (kernel_class)
needs: [grid, kernel_block_threads, kernel_thread_registers, hardware.multiprocessors, hardware.max_warps, hardware.max_blocks,
  hardware.registers, hardware.shared_memory]
source: the launch of each kernel; NVIDIA's occupancy rules; that waves count is Nsight Compute's (LaunchConfiguration, tail effect)
caveat: At most that is lost, where all waves take equally long. Kernels that run beside others fill the device together.
empty: no kernel has a grid and launch information
---*/
WITH launch AS (
    SELECT ran.duration, ran.blocks / (
            device.multiprocessors * round(kernel.occupancy * device.max_warps / ceil(kernel.threads / device.warp_size))
        ) AS waves
    FROM gpu_operation AS ran
    JOIN kernel_context AS kernel ON kernel.context = ran.context
    JOIN kernel_class AS kind ON kind.context = ran.context AND kind.class <> 'collective'
    CROSS JOIN (SELECT hardware.* FROM hardware JOIN run ON run.hardware = hardware.name) AS device
    WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL AND kernel.occupancy > 0
)
SELECT coalesce(sum(duration * (1 - waves / ceil(waves))) FILTER (WHERE waves > 1), 0) / sum(duration) AS value,
    count(*) AS n
FROM launch HAVING sum(duration) > 0
