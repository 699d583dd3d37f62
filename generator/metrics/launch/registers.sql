/*---
title: Registers per thread
unit: registers
better: lower
definition: Registers that a thread uses, mean over launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GKER:THR_REG_ACUMU, GKER:COUNT]
source: GKER:THR_REG_ACUMU / GKER:COUNT
empty: the profile counts no kernel launches
---*/
SELECT total_of('GKER:THR_REG_ACUMU') / nullif(total_of('GKER:COUNT'), 0) AS value
