/*---
title: Theoretical occupancy, mean over launches
unit: ratio
better: higher
definition: >-
  Warps that can be resident on a multiprocessor over the most it can hold, from registers,
  threads and shared memory per launch and the device's limits; mean over launches. Communication
  is left out, which takes few multiprocessors on purpose.
population: calling contexts of kernels with launch information, weighted by launches
needs: [kernel_launches, kernel_block_threads, kernel_thread_registers, hardware.max_warps, hardware.max_blocks,
  hardware.registers, hardware.shared_memory]
source: NVIDIA's occupancy rules (CUDA C++ programming guide, compute capabilities)
caveat: >-
  From means per calling context, with all of the multiprocessor's shared memory available to
  blocks. Theoretical: what was achieved is not recorded. A launch of which not a single block
  fits would fail: a kernel for which that is recorded does not count.
empty: no kernel has launch information
---*/
SELECT sum(launches * occupancy) / nullif(sum(launches), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE occupancy IS NOT NULL AND kind.class <> 'collective'
