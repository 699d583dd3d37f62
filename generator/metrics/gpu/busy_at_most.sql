/*---
title: GPU busy, at most
unit: ratio
better: higher
definition: >-
  GPU-operation time divided by the least time that the run can have taken (the busiest
  thread's), 1 at most. The share of the run in which a GPU executed operations cannot be
  larger. It is a bound and not a utilisation.
population: >-
  all GPU operations of all profiles, also of several GPUs together, against the busiest CPU thread
needs: [GPUOP (sec), cpu_event]
source: the union of busy intervals is no longer than their sum, and the run no shorter than a thread
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx or in graphs, which is common on
  compute capability 9 and newer: the bound holds for the operations that it recorded.
empty: neither CPUTIME nor REALTIME was recorded beside the GPU operations
---*/
WITH busiest AS (
    SELECT max(value) AS value
    FROM profile_total
    WHERE run = $run AND name IN ('CPUTIME (sec)', 'REALTIME (sec)')
)
SELECT least(1.0, total.value / nullif(busiest.value, 0)) AS value
FROM total, busiest
WHERE total.run = $run AND total.name = 'GPUOP (sec)' AND busiest.value IS NOT NULL
