/*---
title: Static shared memory per block
unit: B
better: lower
definition: Shared memory that a kernel declares, mean over launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [kernel_static_shared, kernel_launches]
source: kernel_static_shared / kernel_launches
empty: the profile counts no kernel launches
---*/
SELECT total_of('kernel_static_shared') / nullif(total_of('kernel_launches'), 0) AS value
