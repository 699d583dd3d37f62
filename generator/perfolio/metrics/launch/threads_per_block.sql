/*---
title: Threads per block
unit: threads
better: neither
definition: Threads in a block, mean over launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [kernel_block_threads, kernel_launches]
source: kernel_block_threads / kernel_launches
empty: the profile counts no kernel launches
---*/
SELECT total_of('kernel_block_threads') / nullif(total_of('kernel_launches'), 0) AS value
