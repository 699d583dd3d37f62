/*---
title: Model operations per second
unit: FLOP/s
better: higher
definition: >-
  Floating-point operations of the model per iteration (from profile.toml) over the median
  iteration.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations, model_flops_per_iteration]
source: profile.toml and traces
caveat: The operations are those that the model needs, by its author's count, the profile measures none.
---*/
SELECT CAST(setting.value AS DOUBLE) / typical AS value, n
FROM setting, (
    SELECT length / 1e9 AS typical, n FROM iteration_length
) AS iterations
WHERE setting.key = 'model_flops_per_iteration' AND typical > 0
