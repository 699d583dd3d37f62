/*---
title: Synchronisation stalls, share of stalls
unit: ratio
better: lower
definition: PC samples stalled on synchronisation, over stalled PC samples. 95 % Wilson interval.
population: >-
  all PC samples of all kernels: context 0 at scope execution, divided by the sampling period to
  give samples
needs: ["stalled_samples:SYNC", stalled_samples, samples_taken]
source: stalled_samples:SYNC / stalled_samples
caveat: >-
  Multiprocessors are sampled at the same moments and are apt to do the same then: samples of one
  moment count as one. Where the profile does not tell how many those are, all samples count as
  independent and the true uncertainty is larger.
empty: the profile holds no stalled PC samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:SYNC' AND whole = 'stalled_samples'
