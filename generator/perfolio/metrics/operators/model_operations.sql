/*---
title: Operations of a step, by sizes
unit: FLOP
better: neither
definition: >-
  Floating-point operations of matrix products, attention and convolutions in a step, by the sizes of arguments: the median over steps,
  complete ones that are no warm-up. Scores that fused attention computes again are not in it.
population: steps of main threads, with the operators that begin in them on any thread of their process
needs: [shapes, steps]
source: sizes of arguments; the formulas of PyTorch's FlopCounterMode, by operator in the store's table operation_pattern
caveat: >-
  Computed, not measured, and a lower bound: what runs in a graph, in one call of a compiler, or in an operator that the store's table
  operation_pattern does not have is not in it. Of causal attention half is counted that no kernel computes. Packed sequences count as if
  equally long. Convolutions count at most where the profile does not hold which gradients they compute.
empty: no operator of a step has sizes that tell its operations
---*/
SELECT median(needed) AS value, count(*) AS n FROM step_operations HAVING count(*) > 0
