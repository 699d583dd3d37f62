/*---
title: Kernels by class of work
better: neither
definition: >-
  Kernels by what they do, as their names tell: time and launches of the whole run, the share of all kernel time, and of steady iterations
  the share of an iteration (kernels that run at the same time share it by their durations). Element-wise kernels, casts and copies, norms
  and reductions do few operations for each value: memory's rate bounds them.
population: calling contexts of kernels at scope point; kernels of steady iterations, of several GPUs the mean
needs: [kernel_time]
source: names of kernels, in the store's table kernel_pattern
caveat: Known by names only. What a kernel of another name does is told as other.
empty: the profile records no kernel
columns:
  - {name: class, title: 'Class', unit: text}
  - {name: launches, title: 'Launches', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
  - {name: of_iteration, title: 'Share of an iteration', unit: ratio}
  - {name: moved, title: 'Memory-bound', unit: ratio}
  - {name: bound, title: 'Bound by', unit: text}
  - {name: largest, title: 'Largest kernel', unit: text}
---*/
WITH ran AS (
    SELECT kind.class, kind.moves, sum(ran."time") AS "time",
        CASE WHEN count(*) FILTER (WHERE ran."time" > 0 AND ran.launches IS NULL) = 0 THEN sum(ran.launches) END AS launches,
        arg_max(ran.short, ran."time") AS largest
    FROM kernel_context AS ran JOIN kernel_class AS kind ON kind.context = ran.context
    GROUP BY kind.class, kind.moves
),
steady AS (SELECT class, of_iteration FROM kernel_class_steady)
SELECT ran.class, ran.launches, ran."time", ran."time" / nullif(sum(ran."time") OVER (), 0) AS share, steady.of_iteration,
    CASE WHEN ran.moves THEN coalesce(steady.of_iteration, 0) ELSE 0 END AS moved,
    CASE WHEN ran.moves THEN 'memory' WHEN ran.class IN ('product', 'attention') THEN 'shape and precision' WHEN ran.class = 'collective' THEN 'links'
        ELSE 'not known by name' END AS bound, ran.largest
FROM ran LEFT JOIN steady ON steady.class = ran.class
ORDER BY ran."time" DESC, ran.class
