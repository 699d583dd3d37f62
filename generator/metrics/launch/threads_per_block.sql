/*---
title: Threads per block
unit: threads
better: neither
definition: Threads in a block, mean over launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GKER:BLK_THR_ACUMU, GKER:COUNT]
source: GKER:BLK_THR_ACUMU / GKER:COUNT
empty: the profile counts no kernel launches
---*/
SELECT total_of('GKER:BLK_THR_ACUMU') / nullif(total_of('GKER:COUNT'), 0) AS value
