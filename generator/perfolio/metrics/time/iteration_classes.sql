/*---
title: An iteration by class of bottleneck
better: neither
definition: >-
  The mean steady iteration of a GPU by what holds it up: compute (products and attention), memory (kernels that move values, optimizer,
  indexing and what a compiler fused, and operations that are neither kernel nor copy, such as memsets), communication (collectives),
  input (the GPU is idle while the host prepares data, and copies beside no kernel), host (any other idle time), and kernels whose names
  tell no class. Each moment counts once; kernels that run at the same time share it by their durations.
population: complete iterations that are no warm-up, the mean over GPUs
needs: [gpu_trace, iterations]
source: names of kernels (kernel_pattern), names of functions (phase_pattern), traces
caveat: >-
  A class is where time goes, not why. Where the phases of the host are not told, its time for input is in the host's.
empty: no kernel ran in a steady iteration
columns:
  - {name: class, title: 'Class', unit: text}
  - {name: time, title: 'Mean per iteration', unit: s}
  - {name: share, title: 'Share', unit: ratio}
---*/
WITH cell AS (
    SELECT sum(ns) AS whole, coalesce(sum(ns) FILTER (WHERE state = 'idle'), 0) AS idle, coalesce(sum(ns) FILTER (WHERE state = 'other'), 0) AS other,
        coalesce(sum(ns) FILTER (WHERE state LIKE 'copy%'), 0) AS copies
    FROM gpu_cell WHERE period IN ('steady', 'outlier')
),
kernels AS (
    SELECT CASE WHEN class IN ('product', 'attention') THEN 'compute' WHEN class = 'collective' THEN 'communication'
        WHEN class = 'other' THEN 'other kernels'
            ELSE 'memory' END AS class, sum(of_iteration) AS share
    FROM kernel_class_steady GROUP BY ALL
),
waits AS (
    SELECT least(coalesce(sum(gpu_idle) FILTER (WHERE phase = 'data') / any_value(length), 0), any_value(cell.idle / cell.whole)) AS input
    FROM cell LEFT JOIN iteration_parts ON (SELECT told FROM input_told)
    GROUP BY cell.whole
),
part AS (
    SELECT class, share FROM kernels
    UNION ALL
    SELECT 'memory', cell.other / cell.whole FROM cell
    UNION ALL
    SELECT 'input', waits.input + cell.copies / cell.whole FROM cell CROSS JOIN waits
    UNION ALL
    SELECT 'host', cell.idle / cell.whole - waits.input FROM cell CROSS JOIN waits
)
SELECT part.class, sum(part.share) * any_value(length.mean) AS "time", sum(part.share) AS share
FROM part CROSS JOIN (SELECT avg(duration) / 1e9 AS mean FROM steady_iterations) AS length
WHERE part.share > 0 AND EXISTS (FROM kernels)
GROUP BY part.class
ORDER BY share DESC, part.class
