/*---
title: PC samples
unit: samples
better: higher
definition: Number of PC samples that the GPU took.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GSAMP:TOT]
source: HPCToolkit's metric GSAMP:TOT
---*/
SELECT total_of('GSAMP:TOT') AS value
