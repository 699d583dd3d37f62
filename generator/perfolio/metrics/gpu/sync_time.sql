/*---
title: GPU synchronisation time
unit: s
better: lower
definition: >-
  Sum of the times that host threads waited in GPU synchronisation calls, summed over threads.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [synchronisation_time]
source: measure synchronisation_time
---*/
SELECT total_of('synchronisation_time') AS value
