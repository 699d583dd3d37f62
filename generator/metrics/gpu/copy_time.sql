/*---
title: Copy time
unit: s
better: lower
definition: >-
  Sum of the durations of explicit copies to, from and on the GPU, summed over all operations,
  streams and devices.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GXCOPY (sec)]
source: HPCToolkit's metric GXCOPY (sec)
---*/
SELECT total_of($run, 'GXCOPY (sec)') AS value
