/*---
title: Launches at 5 microseconds each
unit: s
better: neither
definition: >-
  Kernel launches times 5 microseconds. 5 microseconds is a fair cost of the call on the CPU,
  but a launch costs run time only where the GPU waits for it: gaps on a stream, which need a
  trace.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [kernel_launches]
source: >-
  a formula of hand-made reports, kept to explain why their number differs; never used in a
  finding
---*/
SELECT total_of('kernel_launches') * 5e-6 AS value
