/*---
title: Kernel time in last, incomplete waves
unit: ratio
better: lower
definition: >-
  Time in which a kernel's last wave of blocks, which does not fill the device, may run, over the time of all kernels with a grid:
  1 / (1 + whole waves) of a kernel of more than one wave, if its waves are not whole. Waves are blocks over the blocks that
  fit on the device at once, by registers, threads and shared memory of the launch.
population: kernels of which the tool recorded grid, block, registers and shared memory, on all GPUs, but collective operations
needs: [grid, kernel_block_threads, kernel_thread_registers, hardware.multiprocessors, hardware.max_warps, hardware.max_blocks,
  hardware.registers, hardware.shared_memory]
source: the launch of each kernel; the share is Nsight Compute's (LaunchStats, tail effect), NVIDIA's occupancy rules
caveat: At most that is lost, where all waves take equally long. Kernels that run beside others fill the device together.
empty: no kernel has a grid and launch information
---*/
WITH launch AS (
    SELECT ran.duration, ran.blocks / (
            device.multiprocessors * round(kernel.occupancy * device.max_warps / ceil(kernel.threads / device.warp_size))
        ) AS waves
    FROM gpu_operation AS ran
    JOIN kernel_context AS kernel ON kernel.context = ran.context
    CROSS JOIN (SELECT hardware.* FROM hardware JOIN run ON run.hardware = hardware.name) AS device
    WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL AND kernel.occupancy > 0 AND NOT is_collective(kernel.kernel)
)
SELECT coalesce(sum(duration / (1 + floor(waves))) FILTER (WHERE waves > 1 AND waves <> floor(waves)), 0) / sum(duration) AS value,
    count(*) AS n
FROM launch HAVING sum(duration) > 0
