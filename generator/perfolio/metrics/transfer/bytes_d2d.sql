/*---
title: Bytes within devices
unit: B
better: lower
definition: Bytes that explicit copies moved within the memory of a device; from one device to another is transfer.bytes_p2p.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: ["copy_bytes:D2D"]
source: measure copy_bytes:D2D
---*/
SELECT total_of('copy_bytes:D2D') AS value
