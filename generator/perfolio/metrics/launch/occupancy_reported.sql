/*---
title: Occupancy as the profiler reports it
unit: ratio
better: higher
definition: >-
  Resident warps over the most a multiprocessor can hold, as HPCToolkit recorded them, summed
  over launches. Shown to explain a difference from its viewer; the theoretical occupancy is the
  one to use.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [kernel_active_warps, kernel_most_warps]
source: kernel_occupancy = kernel_active_warps / kernel_most_warps
caveat: >-
  On compute capability 8 and newer (A100, H100) HPCToolkit is wrong, as it takes 8 blocks per
  multiprocessor there.
empty: the profile counts no warps
---*/
SELECT total_of('kernel_active_warps') / nullif(total_of('kernel_most_warps'), 0) AS value
