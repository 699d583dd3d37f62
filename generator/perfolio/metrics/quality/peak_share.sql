/*---
title: Share of a peak, the highest
unit: ratio
better: neither
definition: >-
  The highest of the shares of a nominal dense peak: model FLOP utilisation by profile.toml, operations by sizes over the iteration, and
  kernels that were counted over their roof, those with a hundredth of the counted time or more. More than 110 % is an anomaly of the data
  or of the table.
population: the median iteration, and counted kernels
needs: [gpu_trace, hardware]
source: the test is that of TraceLens (efficiency above 110 %); peaks of the table hardware
caveat: A share below 100 % proves nothing.
empty: no share of a peak is known
---*/
WITH step AS (SELECT length / 1e9 AS typical FROM iteration_length),
share AS (
    SELECT TRY_CAST(flops.value AS DOUBLE) / step.typical / peak.together AS share
    FROM setting AS flops CROSS JOIN step CROSS JOIN device_peak AS peak WHERE flops.key = 'model_flops_per_iteration' AND peak.peak > 0
    UNION ALL
    SELECT done.least / step.typical FROM typical_operations AS done CROSS JOIN step
    UNION ALL
    SELECT share FROM (
        SELECT share, seconds * counted AS spent, sum(seconds * counted) OVER () AS whole FROM kernel_roof WHERE share IS NOT NULL
    ) WHERE spent >= 0.01 * whole
)
SELECT max(share) AS value, count(*) AS n FROM share WHERE share > 0 HAVING count(*) > 0
