/*---
title: Bytes host to device
unit: B
better: lower
definition: Bytes that explicit copies moved from host to device.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: ["copy_bytes:H2D"]
source: measure copy_bytes:H2D
---*/
SELECT total_of('copy_bytes:H2D') AS value
