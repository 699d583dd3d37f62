/*---
title: Idle time of the GPU that has most of it, over the mean
unit: x
better: lower
definition: >-
  Idle time of the GPU that is idle longest, over the mean of all GPUs. Means over GPUs bound what a run can
  gain only where GPUs are alike: where one decides for all, more can be saved.
population: >-
  steady iterations, or where none were found the time from the first operation of any GPU to the last one
needs: [gpu_trace]
source: traces
caveat: >-
  A GPU that waits in a collective operation for another one counts as busy.
empty: there is one GPU, or none is ever idle
---*/
SELECT max(idle) / (sum(idle) / gpus()) AS value
FROM steady_idle
HAVING gpus() > 1 AND sum(idle) > 0
