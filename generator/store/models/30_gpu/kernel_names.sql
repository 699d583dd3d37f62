/*---
about: >-
  Short name of each kernel of a run, made unique by a number where kernels share one.
---*/
SELECT DISTINCT kernel, short FROM kernel_context
