/*---
title: Share of kernel time without a name
unit: ratio
better: lower
definition: >-
  Kernel time of kernels whose name the profile does not hold, over all kernel time. Those that
  one function launches are one row of the table of kernels, whether they are one kernel or many.
population: calling contexts of kernels at scope point
needs: [kernel_time]
source: measure kernel_time and the function <gpu kernel>, which stands where no name is known
empty: the profile records no kernel time
---*/
SELECT coalesce(sum("time") FILTER (WHERE NOT named), 0) / nullif(sum("time"), 0) AS value
FROM kernel_context
