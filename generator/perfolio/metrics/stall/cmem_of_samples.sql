/*---
title: Constant-memory stalls, share of samples
unit: ratio
better: lower
definition: PC samples stalled on constant memory, over all PC samples. 95 % Wilson interval.
population: >-
  all PC samples of all kernels: context 0 at scope execution, divided by the sampling period to
  give samples
needs: ["stalled_samples:CMEM", pc_samples, samples_taken]
source: stalled_samples:CMEM / pc_samples
caveat: >-
  Multiprocessors are sampled at the same moments and are apt to do the same then: samples of one
  moment count as one. Where the profile does not tell how many those are, all samples count as
  independent and the true uncertainty is larger.
empty: the profile holds no PC samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:CMEM' AND whole = 'pc_samples'
