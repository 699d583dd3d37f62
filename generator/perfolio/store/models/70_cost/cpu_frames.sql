/*---
about: >-
  Call frames that have a CPU cost (cpu_cost).
---*/
SELECT frame.*, cost.exclusive, cost.inclusive, cost.late, cost.beyond, cost.waits
FROM cpu_cost AS cost JOIN frame ON frame.frame = cost.frame
