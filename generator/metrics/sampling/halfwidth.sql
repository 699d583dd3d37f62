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
needs: [GINS:STL_ANY, GSAMP:TOT]
source: 95 % Wilson interval of a binomial share
caveat: >-
  The interval takes samples as independent; samples of one kernel are not quite, so the true
  uncertainty is somewhat larger.
empty: the profile holds no stalled PC samples
---*/
SELECT max(binomial_high(samples, stalled) - binomial_low(samples, stalled)) / 2 AS value, any_value(stalled) AS n
FROM (
    SELECT total.value / sample_period($run) AS samples, total_of($run, 'GINS:STL_ANY') / sample_period($run) AS stalled
    FROM total JOIN stall_reason ON total.name = 'GINS:STL_' || stall_reason.code
    WHERE total.run = $run
)
