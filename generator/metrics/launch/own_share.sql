/*---
title: Kernel time outside matrix products of libraries
unit: ratio
better: neither
definition: >-
  Share of kernel time in kernels that are no matrix product, convolution or attention of a
  library, by the names listed in the query.
population: calling contexts of kernels at scope point, by kernel name
needs: [GKER (sec)]
source: names of kernels in cuBLAS, cuDNN, CUTLASS, FlashAttention and rocBLAS
caveat: >-
  Known by name only. HPCToolkit does not see kernels launched by cuLaunchKernelEx, as most library
  kernels are from compute capability 9 on.
empty: the profile records no kernel
---*/
SELECT coalesce(sum("time") FILTER (
        WHERE NOT regexp_matches(lower(kernel), '(gemm|gemv|cutlass|xmma|wgrad|dgrad|convolve|cudnn|cublas|cijk_|flash_(fwd|bwd)|fmha)')
    ), 0) / nullif(sum("time"), 0) AS value
FROM kernel_contexts($run)
