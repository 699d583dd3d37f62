/*---
title: Kernel time in library products
unit: ratio
better: neither
definition: >-
  Share of kernel time in kernels that are a matrix product, convolution or attention of a library, by their names.
population: calling contexts of kernels with a name, at scope point, by kernel name
needs: [kernel_time]
source: names of kernels in cuBLAS, cuDNN, CUTLASS, FlashAttention and rocBLAS; the store's table kernel_pattern
caveat: >-
  Known by name only. HPCToolkit does not see kernels launched by cuLaunchKernelEx, as most library
  kernels are from compute capability 9 on.
empty: the profile records no kernel with a name
---*/
SELECT coalesce(sum("time") FILTER (WHERE kind.kind = 'library product'), 0) / nullif(sum("time"), 0) AS value
FROM kernel_context AS kernel JOIN kernel_class AS kind ON kind.context = kernel.context
WHERE named
