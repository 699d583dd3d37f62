/*---
title: Issue ratio
unit: ratio
better: higher
definition: >-
  PC samples that are no stall, over all PC samples: 1 - STL_ANY / GINS. It counts the samples
  of stall reason NONE as issuing. 95 % Wilson interval.
population: >-
  all PC samples of all kernels: context 0 at scope execution, divided by the sampling period to
  give samples
needs: [pc_samples, stalled_samples, samples_taken]
source: >-
  GPU Performance Advisor (CGO 2021): active samples over all samples
caveat: >-
  Multiprocessors are sampled at the same moments and are apt to do the same then: samples of one
  moment count as one. Where the profile does not tell how many those are, all samples count as
  independent and the true uncertainty is larger.
empty: the profile holds no PC samples
---*/
SELECT 1 - value AS value, 1 - high AS low, 1 - low AS high, n
FROM sampled_share
WHERE part = 'stalled_samples' AND whole = 'pc_samples'
