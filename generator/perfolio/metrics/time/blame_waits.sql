/*---
title: GPU idle time in which the host waits
unit: ratio
better: lower
definition: >-
  Share of the GPU's idle time within steady iterations in which launching threads waited: for the GPU, in calls that
  synchronise, copy or free memory, or for another thread's backward pass. No function is blamed for it.
population: as for the functions that run while the GPU is idle
needs: [cpu_trace, gpu_trace, launching]
source: names of functions, listed in the model gpu_wait, and the models frame and backward_waits
caveat: >-
  The end of a wait is idle time of its own: what the GPU did is over, and the host has not returned yet.
empty: no launching thread was sampled while the GPU was idle
---*/
SELECT coalesce(sum(blame.duration) FILTER (
        WHERE frame.lexical_type <> 'entry' AND frame.frame NOT IN (SELECT target FROM blame_paths)
    ), 0) / sum(blame.duration) AS value
FROM recurring_blame AS blame
JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
JOIN frame ON frame.frame = enclosing.frame
HAVING sum(blame.duration) > 0
