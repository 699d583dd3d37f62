/*---
title: Blocks per launch
unit: blocks
better: higher
definition: Thread blocks of a launch, mean over launches.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [grid]
source: not recorded by HPCToolkit
caveat: HPCToolkit's GKER:BLKS_ACUMU is threads per block.
empty: HPCToolkit does not record it
---*/
SELECT CAST(NULL AS DOUBLE) AS value FROM run
