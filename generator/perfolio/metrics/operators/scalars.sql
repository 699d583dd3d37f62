/*---
defaults:
  unit: FLOP
  better: neither
  population: steps of main threads, with the operators that begin in them on any thread of their process
  needs: [shapes, steps]
  source: sizes of arguments; the formulas of PyTorch's FlopCounterMode, by operator in the store's table operation_pattern
  caveat: >-
    Computed, not measured, and a lower bound: what runs in a graph, in one call of a compiler, or in an operator that the store's table
    operation_pattern does not have is not in it. Of causal attention half is counted that no kernel computes. Packed sequences count as if
    equally long. Convolutions count at most where the profile does not hold which gradients they compute.
  empty: no operator of a step has sizes that tell its operations
---*/

/*---
name: done_operations
title: Operations of a step with recomputation, by sizes
definition: >-
  Floating-point operations of matrix products, attention and convolutions in a step, by the sizes of arguments: the median over steps,
  complete ones that are no warm-up. Scores that the backward pass of fused attention computes again
  count, and so does whatever activation checkpointing runs a second time.
---*/
SELECT median(flop) AS value, count(*) AS n FROM step_operations HAVING count(*) > 0

/*---
name: model_operations
title: Operations of a step, by sizes
definition: >-
  Floating-point operations of matrix products, attention and convolutions in a step, by the sizes of arguments: the median over steps,
  complete ones that are no warm-up. Scores that fused attention computes again are not in it.
---*/
SELECT median(needed) AS value, count(*) AS n FROM step_operations HAVING count(*) > 0

/*---
name: narrow_share
title: Kernel time of operators in 16 bits
unit: ratio
better: higher
definition: >-
  Time of kernels that operators with an argument of 16 bits or fewer (FP16, BF16, FP8) launched, over the time of kernels of all
  operators with floating-point arguments.
population: kernels whose launch lies directly in an operator of which the types of arguments are recorded
needs: [types, host_call, gpu_trace]
source: types of arguments; begin and end of operators, calls and kernels
empty: no kernel was launched by an operator with floating-point arguments
caveat: null
---*/
SELECT sum("time" * narrow) / sum("time") AS value FROM operator_kernel HAVING sum("time") > 0

/*---
name: plain_product_share
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
