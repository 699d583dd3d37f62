/*---
title: Matrix products in plain FP32, share of kernel time
unit: ratio
better: neither
definition: >-
  Share of kernel time in kernels whose names say that they multiply FP32 matrices without tensor
  cores: sgemm, or simt kernels of CUTLASS and cuBLAS.
population: calling contexts of kernels at scope point, by kernel name
needs: [kernel_time]
source: names of kernels in cuBLAS and CUTLASS, listed in the query
caveat: >-
  Known by name only: products in kernels with other names are not counted. HPCToolkit does not
  see kernels launched by cuLaunchKernelEx, as most library kernels are from compute capability 9 on.
empty: the profile records no kernel
---*/
SELECT coalesce(sum("time") FILTER (
        WHERE regexp_matches(lower(kernel), '(simt_sgemm|simt_.*f32f32_f32f32|(^|_)sgemm_|sgemm_(32|64|128|largek)|gemm_f32f32_f32f32_f32)')
            AND NOT regexp_matches(lower(kernel), '(tf32|s1688|s16816|tensorop)')
    ), 0) / sum("time") AS value
FROM kernel_context
HAVING sum("time") > 0
