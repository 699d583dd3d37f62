/*---
title: Share of an iteration spent on input data
unit: ratio
better: lower
definition: >-
  Share of the time of steady iterations in the phase data: the GPU is idle while launching
  threads load, make or collate input, or it runs operations launched by these.
population: >-
  complete iterations that are no warm-up
needs: [cpu_trace, gpu_trace, launching, iterations]
source: HPCToolkit's traces; names of functions of PyTorch, TensorFlow and their companions
caveat: >-
  Told by names of functions. Input that is made while the GPU works costs nothing and does not
  count.
empty: no function on the calling paths tells a phase
---*/
SELECT coalesce(sum(gpu_busy + gpu_idle) FILTER (WHERE phase = 'data'), 0) / any_value(length) AS value
FROM iteration_parts($run)
