/*---
title: Matrix products without a recorded kernel
unit: count
better: lower
definition: >-
  Calls of cuBLAS that compute a matrix product, by calling context, in which threads were sampled and
  below which no kernel was recorded: then kernels are missing. 0 where none was seen.
population: all calling contexts of a run that recorded kernels
needs: []
source: names of functions on calling paths (the model unseen_product)
caveat: >-
  What no sample touched is not in a profile: 0 proves nothing.
---*/
SELECT count(*) AS value
FROM unseen_product
