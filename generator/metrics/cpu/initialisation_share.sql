/*---
title: CPU cost of initialising a GPU
unit: ratio
better: lower
definition: >-
  Share of CPU cost that was spent below functions that initialise a GPU, such as cuInit,
  cudaGetDeviceCount or _lazy_init. The functions are in the table phase_pattern of the store.
population: call frames of all entry points and profiles, scope function
needs: [cpu_event]
source: names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
empty: no thread has a CPU cost
---*/
WITH spent AS MATERIALIZED (
    SELECT frame, exclusive FROM frame_cost($run, cpu_event_of($run)) WHERE exclusive > 0
)
SELECT coalesce(sum(exclusive) FILTER (WHERE phase.phase = 'initialisation'), 0) / sum(exclusive) AS value
FROM spent
LEFT JOIN phases_of($run, (SELECT list(frame) FROM spent)) AS phase ON phase.target = spent.frame
HAVING sum(exclusive) > 0
