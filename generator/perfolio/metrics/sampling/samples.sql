/*---
title: PC samples
unit: samples
better: higher
definition: Number of PC samples that the GPU took.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [samples_taken]
source: measure samples_taken
---*/
SELECT total_of('samples_taken') AS value
