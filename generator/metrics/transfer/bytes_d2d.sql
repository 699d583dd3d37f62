/*---
title: Bytes device to device
unit: B
better: lower
definition: Bytes that explicit copies moved from device to device.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GXCOPY:D2D (B)]
source: HPCToolkit's metric GXCOPY:D2D (B)
---*/
SELECT total_of('GXCOPY:D2D (B)') AS value
