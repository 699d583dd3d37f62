/*---
title: Gaps within chains that one call would replace
unit: s
better: lower
definition: >-
  Time between the kernels of chains that fused implementations replace by one call, from the end of a
  kernel to the start of the next one of its chain.
population: kernels of steady iterations, on all streams, of several GPUs the mean
needs: [gpu_trace, iterations]
source: >-
  names of kernels and functions of PyTorch, in the store's table fusable_pattern
caveat: >-
  A gap in one stream costs nothing while another one works.
---*/
SELECT coalesce(sum(gap), 0) / gpus() / 1e9 AS value FROM fusable_kernels
