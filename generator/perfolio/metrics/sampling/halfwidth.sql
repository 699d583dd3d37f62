/*---
title: Widest interval of a stall share
unit: ratio
better: lower
definition: >-
  Half the width, in percentage points, of the widest 95 % Wilson interval among the shares of
  stall reasons in stalled samples. Reasons whose shares differ by less cannot be ranked.
population: >-
  all PC samples of all kernels: context 0 at scope execution, divided by the sampling period to
  give samples
needs: [stalled_samples, samples_taken]
source: 95 % Wilson interval of a binomial share
caveat: >-
  Multiprocessors are sampled at the same moments and are apt to do the same then: samples of one
  moment count as one. Where the profile does not tell how many those are, all samples count as
  independent and the true uncertainty is larger.
empty: the profile holds no stalled PC samples
---*/
SELECT max(binomial_high(samples, stalled) - binomial_low(samples, stalled)) / 2 AS value, any_value(stalled) AS n
FROM (
    SELECT total.value / each AS samples, total_of('stalled_samples') / each AS stalled
    FROM (SELECT sample_period() * samples_at_once() AS each)
    CROSS JOIN total
    JOIN stall_reason ON total.name = 'stalled_samples:' || stall_reason.code
)
