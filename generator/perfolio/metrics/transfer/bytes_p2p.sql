/*---
title: Bytes from device to device
unit: B
better: lower
definition: Bytes that explicit copies moved from one device to another.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: ["copy_bytes:P2P"]
source: measure copy_bytes:P2P
---*/
SELECT total_of('copy_bytes:P2P') AS value
