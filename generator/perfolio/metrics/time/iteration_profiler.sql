/*---
title: The profiler's own calls, per iteration
unit: s
better: lower
definition: >-
  The mean time per steady iteration in which the GPU is idle and launching threads were sampled in the
  libraries by which HPCToolkit measures it: the phase profiler. Idle time is shared out by the samples taken
  in it: 95 % Wilson interval.
population: >-
  complete iterations that are no warm-up
needs: [cpu_trace, gpu_trace, launching, iterations, host_samples]
source: traces; names of functions, and of the profiler's libraries
caveat: >-
  What else the profiler costs is not left out: lost samples, other threads, kernels that sampling keeps apart.
  The interval takes samples as independent, and those that were lost as lost anywhere.
empty: no function on the calling paths tells a phase
---*/
SELECT profiler / iterations / 1e9 AS value, profiler_low / iterations / 1e9 AS low, profiler_high / iterations / 1e9 AS high, n
FROM unprofiled_iterations
