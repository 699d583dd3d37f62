/*---
title: Products in 16 bits without tensor cores
unit: ratio
better: lower
definition: >-
  Time of kernels that matrix products, convolutions and attention with an argument of 16 bits launched and whose names say that they use
  no tensor cores (simt, gemv, hgemm, sgemm), over the time of kernels of all operators with floating-point arguments.
population: kernels whose launch lies directly in an operator of which the types of arguments are recorded
needs: [types, host_call, gpu_trace]
source: types of arguments; names of kernels in cuBLAS, cuDNN and CUTLASS, listed in the query
caveat: Known by name only, so products in kernels with other names are not counted.
empty: no kernel was launched by an operator with floating-point arguments
---*/
SELECT coalesce(sum("time" * narrow) FILTER (
        WHERE is_product AND regexp_matches(lower(kernel), '(simt|gemv|(^|_)[hs]gemm_|gemmk1|implicit_convolve_[hs]gemm|dot_kernel)')
            AND NOT regexp_matches(lower(kernel), '(tensorop|884|1688|16816|gmma|[hi]mma|wmma|tf32|nvjet|flash|fmha)')
    ), 0) / sum("time") AS value
FROM operator_kernel HAVING sum("time") > 0
