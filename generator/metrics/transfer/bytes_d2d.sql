/*---
title: Bytes device to device
unit: B
better: lower
definition: Bytes that explicit copies moved from device to device.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: ["copy_bytes:D2D"]
source: measure copy_bytes:D2D
---*/
SELECT total_of('copy_bytes:D2D') AS value
