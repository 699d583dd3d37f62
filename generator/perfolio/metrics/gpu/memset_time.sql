/*---
title: Memset time
unit: s
better: lower
definition: >-
  Sum of the durations of memsets on the GPU, summed over all operations, streams and devices.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [memset_time]
source: measure memset_time
caveat: HPCToolkit does not convert the kind of a memset; device memsets can be lost.
---*/
SELECT total_of('memset_time') AS value
