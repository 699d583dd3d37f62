/*---
title: Dropped PC samples
unit: ratio
better: lower
definition: >-
  PC samples that the GPU dropped, over dropped and taken ones. Where it is large, shares of
  stalls lean to quiet phases.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GSAMP:DRP, GSAMP:TOT]
source: GSAMP:DRP / (GSAMP:DRP + GSAMP:TOT)
empty: the profile holds no PC samples
---*/
SELECT total_of('GSAMP:DRP') / nullif(total_of('GSAMP:DRP') + total_of('GSAMP:TOT'), 0) AS value
