/*---
title: Dropped PC samples
unit: ratio
better: lower
definition: >-
  PC samples that the GPU dropped, over dropped and taken ones. Where it is large, shares of
  stalls lean to quiet phases.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [samples_dropped, samples_taken]
source: samples_dropped / (samples_dropped + samples_taken)
empty: the profile holds no PC samples
---*/
SELECT total_of('samples_dropped') / nullif(total_of('samples_dropped') + total_of('samples_taken'), 0) AS value
