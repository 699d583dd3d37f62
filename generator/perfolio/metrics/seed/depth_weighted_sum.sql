/*---
title: Launches counted once per caller
unit: count
better: neither
definition: >-
  Kernel launches at scope execution, summed over all calling contexts. It counts a launch once
  for each function, loop and line on its call path; the number of launches is gpu.launches.
population: >-
  calling contexts other than the root, scope execution: the wrong scope to sum
needs: [kernel_launches]
source: >-
  a formula of hand-made reports, kept to explain why their number differs; never used in a
  finding
---*/
SELECT coalesce(sum(value), 0) AS value
FROM cost
WHERE name = 'kernel_launches' AND scope = 'execution' AND context <> 0
