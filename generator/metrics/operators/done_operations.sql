/*---
title: Operations of a step with recomputation, by sizes
unit: FLOP
better: neither
definition: >-
  Floating-point operations of matrix products, attention and convolutions in a step, by the sizes of arguments: the median over steps,
  without the first one of each thread where there are three or more. Scores that the backward pass of fused attention computes again
  count, and so does whatever activation checkpointing runs a second time.
population: steps of main threads, with the operators that begin in them on any thread
needs: [shapes, steps]
source: sizes of arguments; the formulas of PyTorch's FlopCounterMode
caveat: >-
  Computed, not measured. Of causal attention half is counted that no kernel computes. What runs in one call of a compiler, of attention by
  another library or of a product on a processor with a layout of its
  own is not in it. Convolutions count where a backward pass tells their output, and at most.
empty: no operator of a step has sizes that tell its operations
---*/
SELECT median(flop) AS value, count(*) AS n FROM step_operations HAVING count(*) > 0
