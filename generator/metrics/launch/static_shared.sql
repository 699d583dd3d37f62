/*---
title: Static shared memory per block
unit: B
better: lower
definition: Shared memory that a kernel declares, mean over launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GKER:STMEM_ACUMU (B), GKER:COUNT]
source: GKER:STMEM_ACUMU (B) / GKER:COUNT
empty: the profile counts no kernel launches
---*/
SELECT total_of('GKER:STMEM_ACUMU (B)') / nullif(total_of('GKER:COUNT'), 0) AS value
