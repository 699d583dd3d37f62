/*---
title: CPU time
unit: CPU-s
better: lower
definition: >-
  Time that threads spent running on a CPU, summed over all threads of all processes. It is
  CPU-seconds: with n busy threads it grows n times as fast as wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [cpu_time]
source: measure cpu_time
---*/
SELECT total_of('cpu_time') AS value
