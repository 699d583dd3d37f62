/*---
defaults:
  unit: ratio
  better: lower
  population: >-
    all calling contexts of all entry points and profiles: context 0 at scope execution
  needs: [kernel_time, kernel_launches, kernel_block_threads]
  source: NVIDIA's occupancy rules (CUDA C++ programming guide, compute capabilities)
  empty: the profile counts no kernel launches
---*/

/*---
name: block_occupancy
title: Occupancy that block sizes allow on any device
better: higher
definition: >-
  The most that theoretical occupancy can be, by the block size alone: no NVIDIA GPU holds more
  than half as many blocks as warps, so that blocks of one warp fill half of the warp slots at
  most; 100 % for larger blocks. Mean over the time of kernels.
population: >-
  calling contexts of kernels with launch information, weighted by kernel time; matrix products,
  convolutions and attention of libraries and collective operations are left out (kernel_class)
source: >-
  NVIDIA, CUDA C++ programming guide, resident blocks and warps per multiprocessor by compute
  capability: 32 and 64, 16 and 32, 16 and 48, 24 and 48
caveat: A bound. From the mean threads per block of each calling context.
empty: no kernel but products of libraries and collectives has launch information
---*/
SELECT sum("time" * CASE WHEN threads <= 32 THEN 0.5 ELSE 1.0 END) / nullif(sum("time"), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE threads > 0
    AND kind.kind = 'other'

/*---
name: blocks
title: Blocks per launch
unit: blocks
better: higher
definition: Thread blocks of a launch, mean over launches.
population: kernels of which the tool recorded the size of the grid, on all GPUs
needs: [grid]
source: the grid of each launch
empty: no kernel has a grid
---*/
SELECT avg(blocks) AS value, count(*) AS n FROM gpu_operation WHERE operation = 'kernel' AND blocks IS NOT NULL HAVING count(*) > 0

/*---
name: dynamic_shared
title: Dynamic shared memory per block
unit: B
definition: Shared memory asked for at launch, mean over launches.
needs: [kernel_dynamic_shared, kernel_launches]
source: kernel_dynamic_shared / kernel_launches
---*/
SELECT total_of('kernel_dynamic_shared') / nullif(total_of('kernel_launches'), 0) AS value

/*---
name: empty_share
title: Multiprocessor time without a block, in launches with few blocks
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

/*---
name: local_memory
title: Local memory reserved per launch
unit: B
better: neither
definition: >-
  Local memory that the driver holds reserved for the whole device when a kernel is launched,
  mean over launches.
needs: [kernel_local_memory, kernel_launches]
source: kernel_local_memory / kernel_launches
caveat: >-
  CUPTI's total reservation for the device, not what the kernel uses: it is hundreds of
  megabytes for kernels that spill nothing, so it is no sign of register spills.
---*/
SELECT total_of('kernel_local_memory') / nullif(total_of('kernel_launches'), 0) AS value

/*---
name: lone_share
title: Kernel time in launches of one block, or of one thread per block
definition: >-
  Time of launches that last 100 µs or longer and have one block, or one thread in each block, over the time of all kernels with a grid,
  communication left out of both. Blocks are those of the launch, threads per block the mean over the launches of its calling context.
population: >-
  kernels of which the tool recorded the size of the grid, on all GPUs, but communication (kernel_class), which takes few multiprocessors on
  purpose
needs: [grid, kernel_block_threads]
source: the grid and the blocks of each launch; the limit of 100 µs, below which a launch costs as much as it may save, is proposed
caveat: Kernels that run beside others may fill the device together.
empty: no kernel but communication has a grid
---*/
SELECT coalesce(sum(ran.duration) FILTER (WHERE ran.duration >= 100000 AND (ran.blocks = 1 OR kernel.threads = 1)), 0)
        / nullif(sum(ran.duration), 0) AS value, count(*) AS n
FROM gpu_operation AS ran
JOIN kernel_context AS kernel ON kernel.context = ran.context
JOIN kernel_class AS kind ON kind.context = ran.context AND kind.class <> 'collective'
WHERE ran.operation = 'kernel' AND ran.blocks IS NOT NULL HAVING sum(ran.duration) > 0

/*---
name: occupancy
title: Theoretical occupancy, mean over launches
better: higher
definition: >-
  Warps that can be resident on a multiprocessor over the most it can hold, from registers,
  threads and shared memory per launch and the device's limits; mean over launches. Communication
  is left out, which takes few multiprocessors on purpose.
population: calling contexts of kernels with launch information, weighted by launches
needs: [kernel_launches, kernel_block_threads, kernel_thread_registers, hardware.max_warps, hardware.max_blocks,
  hardware.registers, hardware.shared_memory]
caveat: >-
  From means per calling context, with all of the multiprocessor's shared memory available to
  blocks. Theoretical: what was achieved is not recorded. A launch of which not a single block
  fits would fail: a kernel for which that is recorded does not count.
empty: no kernel has launch information
---*/
SELECT sum(launches * occupancy) / nullif(sum(launches), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE occupancy IS NOT NULL AND kind.class <> 'collective'

/*---
name: occupancy_reported
title: Occupancy as the profiler reports it
better: higher
definition: >-
  Resident warps over the most a multiprocessor can hold, as HPCToolkit recorded them, summed
  over launches. Shown to explain a difference from its viewer; the theoretical occupancy is the
  one to use.
needs: [kernel_active_warps, kernel_most_warps]
source: kernel_occupancy = kernel_active_warps / kernel_most_warps
caveat: >-
  On compute capability 8 and newer (A100, H100) HPCToolkit is wrong, as it takes 8 blocks per
  multiprocessor there.
empty: the profile counts no warps
---*/
SELECT total_of('kernel_active_warps') / nullif(total_of('kernel_most_warps'), 0) AS value

/*---
name: one_warp
title: Kernel time in blocks of one warp
definition: Share of kernel time in launches whose blocks have 32 threads or fewer, one warp.
population: >-
  calling contexts of kernels with launch information, weighted by kernel time; matrix products,
  convolutions and attention of libraries and collective operations are left out (kernel_class)
source: NVIDIA, CUDA C++ programming guide, limits by compute capability
caveat: From the mean threads per block of each calling context.
empty: no kernel but products of libraries and collectives has launch information
---*/
SELECT coalesce(sum("time") FILTER (WHERE threads <= 32), 0) / nullif(sum("time"), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE threads > 0
    AND kind.kind = 'other'

/*---
name: own_occupancy
title: Theoretical occupancy of kernels, by time
better: higher
definition: >-
  Warps that can be resident on a multiprocessor over the most it can hold, from registers,
  threads and shared memory per launch and the device's limits; mean over the time of kernels.
  Library products and collective operations, which use few warps on purpose, are left out.
population: >-
  calling contexts of kernels with launch information, weighted by kernel time; matrix products,
  convolutions and attention of libraries are left out, by their names: they hold large tiles in
  registers on purpose; so are communication, which take few
  multiprocessors on purpose
needs: [kernel_time, kernel_launches, kernel_block_threads, kernel_thread_registers, hardware.max_warps, hardware.max_blocks,
  hardware.registers, hardware.shared_memory]
caveat: >-
  From means per calling context, with all of the multiprocessor's shared memory available to
  blocks. Theoretical: what was achieved is not recorded.
empty: no kernel but products of libraries and collectives has launch information
---*/
SELECT sum("time" * occupancy) / nullif(sum("time"), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE occupancy IS NOT NULL
    AND kind.kind = 'other'

/*---
name: own_share
title: Kernel time outside library products and collectives
better: neither
definition: >-
  Share of kernel time in kernels that are no matrix product, convolution or attention of a
  library and no communication (kernel_class).
population: calling contexts of kernels with a name, at scope point, by kernel name
needs: [kernel_time]
source: names of kernels, in the store's table kernel_pattern
caveat: >-
  Known by name only. HPCToolkit does not see kernels launched by cuLaunchKernelEx, as most library
  kernels are from compute capability 9 on.
empty: the profile records no kernel with a name
---*/
SELECT coalesce(sum("time") FILTER (WHERE kind.kind = 'other'), 0) / nullif(sum("time"), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE named

/*---
name: partial_warp_time
title: Kernel time in launches with partly filled warps
unit: s
definition: Time of kernels whose threads per block are no multiple of the warp, summed over launches.
population: calling contexts of kernels
source: Nsight Compute's rule on launch configuration
caveat: >-
  From the mean threads per block of each calling context: one that launches several block sizes
  counts as a whole. Without a known device a warp has 32 threads.
empty: no kernel has launch information
---*/
SELECT coalesce(sum("time") FILTER (WHERE threads % warp.size <> 0), 0) AS value
FROM kernel_context
CROSS JOIN (
    SELECT coalesce(any_value(hardware.warp_size), 32) AS size
    FROM run JOIN hardware ON hardware.name = run.hardware
) AS warp
WHERE threads > 0
HAVING count(*) > 0

/*---
name: partial_warps
title: Launches with partly filled warps
definition: Launches whose threads per block are no multiple of the warp, over all launches.
population: calling contexts of kernels, weighted by launches
needs: [kernel_launches, kernel_block_threads]
source: Nsight Compute's rule on launch configuration
caveat: >-
  From the mean threads per block of each calling context: one that launches several block sizes
  counts as a whole. Without a known device a warp has 32 threads.
empty: no kernel has launch information
---*/
SELECT coalesce(sum(launches) FILTER (WHERE threads % warp.size <> 0), 0) / nullif(sum(launches), 0) AS value
FROM kernel_context
CROSS JOIN (
    SELECT coalesce(any_value(hardware.warp_size), 32) AS size
    FROM run JOIN hardware ON hardware.name = run.hardware
) AS warp
WHERE threads > 0

/*---
name: registers
title: Registers per thread
unit: registers
definition: Registers that a thread uses, mean over launches.
needs: [kernel_thread_registers, kernel_launches]
source: kernel_thread_registers / kernel_launches
---*/
SELECT total_of('kernel_thread_registers') / nullif(total_of('kernel_launches'), 0) AS value

/*---
name: static_shared
title: Static shared memory per block
unit: B
definition: Shared memory that a kernel declares, mean over launches.
needs: [kernel_static_shared, kernel_launches]
source: kernel_static_shared / kernel_launches
---*/
SELECT total_of('kernel_static_shared') / nullif(total_of('kernel_launches'), 0) AS value

/*---
name: tail_share
title: Kernel time lost in last, incomplete waves, at most
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

/*---
name: threads_per_block
title: Threads per block
unit: threads
better: neither
definition: Threads in a block, mean over launches.
needs: [kernel_block_threads, kernel_launches]
source: kernel_block_threads / kernel_launches
---*/
SELECT total_of('kernel_block_threads') / nullif(total_of('kernel_launches'), 0) AS value
