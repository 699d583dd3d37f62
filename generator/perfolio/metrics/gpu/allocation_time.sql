/*---
title: GPU allocation time
unit: s
better: lower
definition: >-
  Sum of the durations of allocating and freeing GPU memory, summed over all operations, streams
  and devices.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [allocation_time]
source: measure allocation_time
---*/
SELECT total_of('allocation_time') AS value
