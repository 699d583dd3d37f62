/*---
title: The profiler's own calls, share of the pauses between operations
unit: ratio
better: lower
definition: >-
  Of the samples that launching threads have in the idle time within iterations without their long
  waits, the share within the libraries by which HPCToolkit measures the GPU. 95 % Wilson interval.
population: >-
  samples of launching threads taken while a GPU that they feed is idle, in complete iterations that are
  no warm-up; the long wait of each iteration is left out
needs: [cpu_trace, gpu_trace, launching, iterations]
source: HPCToolkit's traces; names of the libraries
caveat: >-
  Rather too low than too high: what the CUDA driver does for PC sampling outside of these libraries is
  not told apart, nor are waits that have no samples. The interval takes samples as independent.
empty: no launching thread was sampled in a pause
---*/
WITH taken AS (
    SELECT fed.device, CAST(sample."time" AS BIGINT) AS moment, sample.context
    FROM trace AS sample
    JOIN fed_gpus($run) AS fed ON fed.profile = sample.profile
    WHERE sample.run = $run AND sample.context <> 0 AND sample.duration > 0
),
counted AS (
    SELECT count(*) AS n, count(*) FILTER (WHERE taken.context IN (SELECT context FROM profiler_contexts($run))) AS own
    FROM taken
    ASOF JOIN (FROM short_gaps($run)) AS gap ON gap.device = taken.device AND taken.moment >= gap.start
    WHERE taken.moment < gap.stop
)
SELECT own / n AS value, binomial_low(own, n) AS low, binomial_high(own, n) AS high, n
FROM counted
WHERE n > 0
