/*---
title: Copies
unit: count
better: lower
definition: Number of explicit copies, all directions.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; where the
  profile counts nothing, the GPU operations of the trace
needs: [copies]
source: measure copy_count, or its traces
empty: >-
  the profile has copy time and counts no copies: the count was not recorded
---*/
SELECT gpu_count('copy_count', 'copy_time', 'copy%') AS value
