/*---
title: Time of kernels that one call would replace
unit: s
better: lower
definition: >-
  Time of kernels in chains that fused implementations replace by one call, known by names:
  attention made of single kernels, and steps of Adam, AdamW or SGD that PyTorch makes of many.
population: kernels of steady iterations, on all streams, of several GPUs the mean
needs: [gpu_trace, iterations]
source: >-
  names of kernels and functions of PyTorch, in the store's table fusable_pattern
caveat: >-
  Known by names, which others than PyTorch's own operators do not have: a lower bound. A fused
  kernel takes time as well.
---*/
SELECT coalesce(sum(duration), 0) / gpus() / 1e9 AS value FROM fusable_kernels
