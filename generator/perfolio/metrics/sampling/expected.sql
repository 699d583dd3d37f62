/*---
title: Expected PC samples
unit: samples
better: neither
definition: >-
  Number of PC samples that kernels would have given had all multiprocessors been busy at the
  peak clock.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [samples_expected]
source: measure samples_expected
caveat: >-
  HPCToolkit assumes the peak clock, which a GPU does not hold, and rounds down the periods of each
  launch: of a kernel shorter than one it expects none.
---*/
SELECT total_of('samples_expected') AS value
