/*---
title: Kernel time without a class
unit: ratio
better: lower
definition: >-
  Share of kernel time in kernels whose class neither their name nor an attribute tells (gpu.classified): they count as other, and what is
  said of classes holds of the rest.
population: calling contexts of kernels at scope point
needs: [kernel_time]
source: gpu.classified
empty: the profile records no kernel
---*/
SELECT coalesce(sum(ran."time") FILTER (WHERE kind.told IS NULL), 0) / nullif(sum(ran."time"), 0) AS value
FROM kernel_context AS ran JOIN kernel_class AS kind ON kind.context = ran.context
