/*---
title: Local memory reserved per launch
unit: B
better: neither
definition: >-
  Local memory that the driver holds reserved for the whole device when a kernel is launched,
  mean over launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [kernel_local_memory, kernel_launches]
source: kernel_local_memory / kernel_launches
caveat: >-
  CUPTI's total reservation for the device, not what the kernel uses: it is hundreds of
  megabytes for kernels that spill nothing, so it is no sign of register spills.
empty: the profile counts no kernel launches
---*/
SELECT total_of('kernel_local_memory') / nullif(total_of('kernel_launches'), 0) AS value
