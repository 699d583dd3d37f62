/*---
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
---*/
SELECT sum("time" * narrow) / sum("time") AS value FROM operator_kernel HAVING sum("time") > 0
