/*---
title: Stalled samples
unit: ratio
better: lower
definition: >-
  PC samples at which the scheduler could issue nothing because of a stall (STL_ANY), over all
  PC samples. 95 % Wilson interval.
population: >-
  all PC samples of all kernels: context 0 at scope execution, divided by the sampling period to
  give samples
needs: [GINS, GINS:STL_ANY, GSAMP:TOT]
source: GINS:STL_ANY / GINS
caveat: >-
  The interval takes samples as independent; samples of one kernel are not quite, so the true
  uncertainty is somewhat larger.
empty: the profile holds no PC samples
---*/
SELECT value, low, high, n
FROM sampled_share($run, 'GINS:STL_ANY', 'GINS')
