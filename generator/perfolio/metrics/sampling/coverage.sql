/*---
title: Sampling coverage
unit: ratio
better: higher
definition: >-
  PC samples taken over PC samples expected, at most 1. It is the share of multiprocessors'
  time, within kernels and at the peak clock, in which a multiprocessor had work.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [samples_taken, samples_expected]
source: samples_use = min(100, max(0, 100 x samples_taken / samples_expected))
caveat: >-
  The expectation assumes the peak clock: at a lower clock coverage stays below 1 on a fully
  busy GPU. It is rounded down for each launch, by which coverage is too large where kernels are
  short.
empty: the profile expects no PC samples
---*/
SELECT least(1, greatest(0, total_of('samples_taken') / nullif(total_of('samples_expected'), 0))) AS value
WHERE total_of('samples_expected') > 0
