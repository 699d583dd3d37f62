/*---
title: An iteration without input and without the profiler's own calls
unit: s
better: lower
definition: >-
  What is left of the mean steady iteration without the time for input data (see time.data_share) and without
  the profiler's own calls (see time.iteration_profiler): GPU operations, and idle time in which launching
  threads were sampled in anything else. 95 % Wilson interval, in which idle time without any sample counts
  in value and upper end.
population: >-
  complete iterations that are no warm-up
needs: [cpu_trace, gpu_trace, launching, iterations]
source: traces; names of functions, and of the profiler's libraries
caveat: >-
  What else the profiler costs is not left out: lost samples, other threads, kernels that sampling keeps apart.
  The interval takes samples as independent, and those that were lost as lost anywhere.
empty: >-
  no function on the calling paths tells a phase, or for most of the time for input samples were dropped while the CPU clock
  ran, most likely by the profiler's hook in Python (time.data_dropped_share): how much of it is the profiler's is not known
---*/
SELECT rest / iterations / 1e9 AS value, rest_low / iterations / 1e9 AS low, rest_high / iterations / 1e9 AS high, n
FROM unprofiled_iterations
WHERE NOT hooked
