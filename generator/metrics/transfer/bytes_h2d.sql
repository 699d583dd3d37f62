/*---
title: Bytes host to device
unit: B
better: lower
definition: Bytes that explicit copies moved from host to device.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GXCOPY:H2D (B)]
source: HPCToolkit's metric GXCOPY:H2D (B)
---*/
SELECT total_of('GXCOPY:H2D (B)') AS value
