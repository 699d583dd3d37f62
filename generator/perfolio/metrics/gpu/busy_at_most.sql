/*---
title: GPU busy, at most
unit: ratio
better: higher
definition: >-
  GPU-operation time divided by the traced wall time, or, where that is not known, by the least time
  that the run can have taken: the busiest thread's. 1 at most. The share of this time in which a GPU
  executed operations cannot be larger. It is a bound and not a utilisation.
population: >-
  all GPU operations of all profiles, also of several GPUs together, against the traced wall time,
  else the busiest CPU thread
needs: [gpu_operation_time, cpu_event]
source: the union of busy intervals is no longer than their sum, and the run no shorter than a thread
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx or in graphs, which is common on
  compute capability 9 and newer: the bound holds for the operations that it recorded.
empty: neither CPUTIME nor REALTIME was recorded beside the GPU operations
---*/
SELECT least(1.0, total.value / nullif(run.seconds, 0)) AS value
FROM total
CROSS JOIN (
    SELECT coalesce((SELECT (stop - start) / 1e9 FROM cpu_trace_span), least_run_time()) AS seconds
) AS run
WHERE total.name = 'gpu_operation_time' AND run.seconds IS NOT NULL
