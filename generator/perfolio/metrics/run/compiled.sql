/*---
title: Functions that torch.compile made
unit: count
better: neither
definition: >-
  Functions of the profile that PyTorch's compiler made, which are kernels of Triton, or that it calls to
  compile or to run what it compiled.
population: >-
  all functions of the profile; importing the compiler counts as none
needs: []
source: names of functions
---*/
SELECT count(*) AS value
FROM "function"
WHERE regexp_matches(name, '^triton_(poi|per|red|tem|for|mm|unk)_|^(CompiledFxGraph|compile_fx)')
