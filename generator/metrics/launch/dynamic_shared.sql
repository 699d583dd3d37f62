/*---
title: Dynamic shared memory per block
unit: B
better: lower
definition: Shared memory asked for at launch, mean over launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GKER:DYMEM_ACUMU (B), GKER:COUNT]
source: GKER:DYMEM_ACUMU (B) / GKER:COUNT
empty: the profile counts no kernel launches
---*/
SELECT total_of('GKER:DYMEM_ACUMU (B)') / nullif(total_of('GKER:COUNT'), 0) AS value
