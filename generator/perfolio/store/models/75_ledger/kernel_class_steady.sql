/*---
about: >-
  Complete iterations that are no warm-up by class of kernels: time on the clock of a GPU, the mean over GPUs, in which kernels of a class
  run, where kernels that run at the same time share it by their durations [ns], and its share of the iterations. No rows without steady
  iterations.
---*/
WITH told AS (
    SELECT sum(ns) FILTER (WHERE state IN ('kernel', 'collective', 'kernel and collective', 'both')) AS kernels, sum(ns) AS whole
    FROM gpu_cell WHERE period IN ('steady', 'outlier')
),
ran AS (
    SELECT kind.class, any_value(kind.moves) AS moves, sum(ran.duration) AS summed
    FROM gpu_operation AS ran
    JOIN kernel_class AS kind ON kind.context = ran.context
    CROSS JOIN steady_bounds AS steady
    WHERE ran.operation = 'kernel' AND ran.start >= steady.start AND ran.start < steady.stop
    GROUP BY kind.class
)
SELECT ran.class, ran.moves, ran.summed / sum(ran.summed) OVER () * told.kernels / gpus() AS ns,
    ran.summed / sum(ran.summed) OVER () * told.kernels / told.whole AS of_iteration
FROM ran CROSS JOIN told WHERE told.whole > 0
