/*---
title: Share of an iteration spent on transfers
unit: ratio
better: lower
definition: >-
  Share of the time of steady iterations in the phase transfer: copies from and to the host run,
  or the GPU is idle while launching threads ask for such copies.
population: >-
  complete iterations that are no warm-up
needs: [cpu_trace, gpu_trace, launching, iterations]
source: traces; names of functions of PyTorch, CUDA and their companions
caveat: >-
  Told by names of functions. A copy beside a kernel counts with its part of the time in which
  any operation runs.
empty: no function on the calling paths tells a phase
---*/
SELECT coalesce(sum(gpu_busy + gpu_idle) FILTER (WHERE phase = 'transfer'), 0) / any_value(length) AS value
FROM iteration_parts
