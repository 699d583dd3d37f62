/*---
title: Load balance of GPU streams
unit: ratio
better: higher
definition: >-
  Mean busy time of GPU streams over that of the busiest one.
population: >-
  GPU streams with at least one operation, of GPUs that take part (run.gpus); one stream alone has no balance
needs: [gpu_trace]
source: >-
  POP's load balance: mean over maximum
empty: the GPU has only one stream with operations
---*/
SELECT avg(busy) / nullif(max(busy), 0) AS value
FROM (SELECT sum(duration) AS busy FROM gpu_operation WHERE profile IN (SELECT profile FROM gpu_stream) GROUP BY profile)
HAVING count(*) > 1
