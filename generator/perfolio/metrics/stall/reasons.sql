/*---
title: Stall reasons
better: lower
definition: >-
  PC samples by the reason for which the scheduler could issue nothing, as a share of stalled
  samples and of all samples, with 95 % Wilson intervals.
population: >-
  all PC samples of all kernels: context 0 at scope execution, divided by the sampling period to
  give samples
needs: [pc_samples, stalled_samples, samples_taken]
source: measures stalled_samples:*
caveat: >-
  Multiprocessors are sampled at the same moments and are apt to do the same then: samples of one
  moment count as one. Where the profile does not tell how many those are, all samples count as
  independent and the true uncertainty is larger.
empty: the profile holds no stalled PC samples
columns:
  - {name: reason, title: 'Stall reason', unit: text}
  - {name: code, title: 'Code', unit: text}
  - {name: samples, title: 'Samples', unit: samples}
  - {name: of_stalls, title: 'Share of stalls', unit: ratio}
  - {name: of_stalls_low, title: 'Share of stalls, low', unit: ratio}
  - {name: of_stalls_high, title: 'Share of stalls, high', unit: ratio}
  - {name: of_samples, title: 'Share of samples', unit: ratio}
  - {name: of_samples_low, title: 'Share of samples, low', unit: ratio}
  - {name: of_samples_high, title: 'Share of samples, high', unit: ratio}
---*/
WITH whole AS (
    SELECT total_of('stalled_samples') / sample_period() AS stalls,
        total_of('pc_samples') / sample_period() AS samples, samples_at_once() AS at_once
),
counted AS (
    SELECT stall_reason.words, stall_reason.code, total.value / sample_period() AS samples
    FROM stall_reason
    JOIN total ON total.name = 'stalled_samples:' || stall_reason.code
    WHERE total.value > 0
)
SELECT counted.words AS reason, counted.code, counted.samples,
    counted.samples / whole.stalls AS of_stalls,
    binomial_low(counted.samples / at_once, whole.stalls / at_once) AS of_stalls_low,
    binomial_high(counted.samples / at_once, whole.stalls / at_once) AS of_stalls_high,
    counted.samples / whole.samples AS of_samples,
    binomial_low(counted.samples / at_once, whole.samples / at_once) AS of_samples_low,
    binomial_high(counted.samples / at_once, whole.samples / at_once) AS of_samples_high
FROM counted
CROSS JOIN whole
ORDER BY counted.samples DESC, counted.code
