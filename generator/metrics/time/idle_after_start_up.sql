/*---
title: GPU idle time after the start-up
unit: ratio
better: lower
definition: >-
  Share of the time after the start-up in which no GPU operation runs: warm-up, steady state and tail. What
  the GPU waits for before that is the start-up's.
population: >-
  from the first iteration, or the first GPU operation where none were found, to the last trace point;
  of several GPUs the mean
needs: [gpu_trace]
source: HPCToolkit's traces
empty: nothing follows the start-up
---*/
WITH later AS (
    SELECT start, stop, duration FROM run_phases($run) WHERE phase <> 'start-up'
),
busy AS (
    SELECT sum(least(level.stop, later.stop) - greatest(level.start, later.start)) / gpus($run) AS spent
    FROM later
    JOIN gpu_level AS level ON level.start < later.stop AND level.stop > later.start
    WHERE level.run = $run AND level.kernels + level.copies + level.others > 0
)
SELECT 1 - coalesce(any_value(busy.spent), 0) / nullif(sum(later.duration), 0) AS value
FROM later CROSS JOIN busy
