/*---
title: Mean kernel time
unit: s
better: higher
definition: >-
  Kernel time over the number of launches. Short kernels leave the GPU waiting for launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; without
  profile.db, the GPU operations of the trace
needs: [kernels, launches, every_kernel]
source: kernel_time / kernel_launches; without costs, traces
caveat: >-
  A mean over all kernels; their durations usually differ by orders of magnitude: see
  the table of kernels. On compute capability 9 and newer it covers those that HPCToolkit sees.
empty: the profile counts no kernel launches
---*/
SELECT gpu_time('kernel_time', 'kernel') / nullif(gpu_count('kernel_launches', 'kernel_time', 'kernel'), 0) AS value
