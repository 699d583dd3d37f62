/*---
title: Kernel time that one call would replace
unit: ratio
better: lower
definition: >-
  Share of the kernel time of steady iterations in chains of kernels that fused implementations
  replace by one call, known by names: attention made of single kernels, and steps of Adam, AdamW
  or SGD that PyTorch makes of many.
population: kernels of steady iterations, on all streams
needs: [gpu_trace, iterations]
source: >-
  names of kernels and functions of PyTorch, in the store's table fusable_pattern
caveat: >-
  Known by names, which others than PyTorch's own operators do not have: a lower bound. A fused
  kernel takes time as well.
---*/
SELECT (SELECT coalesce(sum(duration), 0) FROM fusable_kernels) / nullif(sum(ran.duration), 0) AS value
FROM gpu_operation AS ran
ASOF JOIN steady_iterations AS steady ON steady.start <= ran.start
WHERE ran.operation = 'kernel' AND ran.start < steady.start + steady.duration
