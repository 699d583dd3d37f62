/*---
defaults:
  unit: ratio
  better: lower
  needs: [values]
  empty: no metric has a value
---*/

/*---
name: gpu_parts_difference
title: GPU operations against their parts
definition: >-
  Difference between the time of all GPU operations and the sum of its parts (kernels, copies,
  memsets, allocation, synchronisation), over the time of all. It should be 0 up to rounding.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [gpu_operation_time]
source: gpu_operation_time against GKER, GXCOPY, GICOPY, GMSET, GMEM and synchronisation_time
empty: the profile records no GPU operation, or does not tell kernels, copies and memsets apart
---*/
SELECT abs(total_of('gpu_operation_time') - parts.value) / nullif(total_of('gpu_operation_time'), 0) AS value
FROM (
    SELECT coalesce(sum(value), 0) AS value
    FROM total
    WHERE name IN ('kernel_time', 'copy_time', 'implicit_copy_time', 'memset_time', 'allocation_time', 'synchronisation_time')
    HAVING count(*) > 0
) AS parts

/*---
name: invariant
title: Disagreement of totals
definition: >-
  Largest relative difference, over all metrics, between the three ways to a total: sum of scope
  point over contexts, context 0 at scope execution, sum over profiles. It should be 0 up to
  rounding.
population: all metrics with values
source: costs by scope
---*/
SELECT max((greatest(point_sum, execution, profile_sum) - least(point_sum, execution, profile_sum))
    / greatest(abs(point_sum), abs(execution), abs(profile_sum))) AS value
FROM invariant
WHERE greatest(abs(point_sum), abs(execution), abs(profile_sum)) > 0

/*---
name: peak_share
title: Share of a peak, the highest
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

/*---
name: unlisted_share
title: Cost of instructions below the listed lines
better: neither
definition: >-
  Largest share, over all metrics, of cost that lies in contexts which meta.db does not list:
  instructions that hpcprof folds into their line. Their cost is part of every total and of the
  function around them, so that even 100 % loses nothing.
population: all metrics with values, scope point
source: meta.db against profile.db
---*/
SELECT max(unlisted / nullif(whole, 0)) AS value
FROM (
    SELECT cost.name, sum(cost.value) AS whole,
        coalesce(sum(cost.value) FILTER (WHERE context.id IS NULL), 0) AS unlisted
    FROM cost
    LEFT JOIN context ON context.id = cost.context
    WHERE cost.scope = 'point'
    GROUP BY cost.name
)
