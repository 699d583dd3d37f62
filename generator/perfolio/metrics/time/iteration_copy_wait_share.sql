/*---
title: Waits for copies, share of steady iterations
unit: ratio
better: lower
definition: >-
  Share of the time of steady iterations in which a copy runs on a GPU, no kernel does, and the next kernel may wait for
  the copy: it starts no sooner than the copy ends. Where kernels of a GPU run in several streams, every copy beside no kernel counts.
population: >-
  complete iterations that are no warm-up; GPU operations of all streams, of several GPUs the mean
needs: [gpu_trace, iterations]
source: traces
caveat: >-
  Which operation waits for which is not recorded: an upper bound.
empty: every iteration is warm-up
---*/
SELECT copy / nullif(length, 0) AS value
FROM copy_waits_in_parts
WHERE part = 'steady iterations'
