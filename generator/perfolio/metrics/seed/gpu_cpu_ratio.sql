/*---
title: GPU time over CPU time
unit: ratio
better: neither
definition: >-
  GPU-operation time over CPU time, often called GPU utilisation. It is not: CPU time is summed
  over all threads, so the ratio falls with every idle helper thread. Utilisation is the union
  of busy intervals over wall time, which needs a trace.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [gpu_operation_time, cpu_time]
source: >-
  a formula of hand-made reports, kept to explain why their number differs; never used in a
  finding
empty: the profile records no CPU time
---*/
SELECT total_of('gpu_operation_time') / nullif(total_of('cpu_time'), 0) AS value
