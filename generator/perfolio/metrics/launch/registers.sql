/*---
title: Registers per thread
unit: registers
better: lower
definition: Registers that a thread uses, mean over launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [kernel_thread_registers, kernel_launches]
source: kernel_thread_registers / kernel_launches
empty: the profile counts no kernel launches
---*/
SELECT total_of('kernel_thread_registers') / nullif(total_of('kernel_launches'), 0) AS value
