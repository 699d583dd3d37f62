/*---
title: Share of an iteration spent on input data, without the profiler's own calls
unit: ratio
better: lower
definition: >-
  What input data (see time.data_share) take of steady iterations where the profiler's own calls (see
  time.iteration_profiler) are no part of these: an estimate of a run that is not profiled. All but what else
  is left (time.unprofiled_rest), with its interval.
population: >-
  complete iterations that are no warm-up
needs: [cpu_trace, gpu_trace, launching, iterations]
source: traces; names of functions, and of the profiler's libraries
caveat: >-
  What else the profiler costs is not left out: lost samples, other threads, kernels that sampling keeps apart.
  The interval takes samples as independent, and those that were lost as lost anywhere.
empty: >-
  no function on the calling paths tells a phase, or the run has ranges alone, without source files and
  the name of a data loader, by which input could be told, or for most of the time for input samples were dropped while the
  CPU clock ran, most likely by the profiler's hook in Python (time.data_dropped_share): how much of it is the profiler's is not known
---*/
SELECT 1 - rest / own AS value, greatest(1 - rest_high / own, 0) AS low, 1 - rest_low / own AS high, n
FROM unprofiled_iterations
WHERE NOT hooked AND (SELECT told FROM input_told)
