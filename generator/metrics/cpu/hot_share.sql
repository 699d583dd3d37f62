/*---
title: CPU cost of the hottest function
unit: ratio
better: neither
definition: >-
  Largest share of CPU cost that one function spent in its own code; functions that wait, or
  belong to a parallel or a GPU's runtime, are left out; their cost stays in the whole.
population: call frames of all entry points and profiles, scope function
needs: [cpu_event]
source: HPCToolkit's CPU events
empty: no function that works has a CPU cost
---*/
SELECT max(exclusive) / total_of($run, cpu_event_of($run)) AS value
FROM (
    SELECT key, sum(exclusive) AS exclusive
    FROM frame_cost($run, cpu_event_of($run))
    WHERE NOT is_waiting(module_path, name) AND NOT is_gpu_runtime(module_path)
    GROUP BY key
)
HAVING max(exclusive) > 0
