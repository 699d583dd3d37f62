/*---
title: Theoretical occupancy of kernels, by time
unit: ratio
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
source: NVIDIA's occupancy rules (CUDA C++ programming guide, compute capabilities)
caveat: >-
  From means per calling context, with all of the multiprocessor's shared memory available to
  blocks. Theoretical: what was achieved is not recorded.
empty: no kernel but products of libraries and collectives has launch information
---*/
SELECT sum("time" * occupancy) / nullif(sum("time"), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE occupancy IS NOT NULL
    AND kind.kind = 'other'
