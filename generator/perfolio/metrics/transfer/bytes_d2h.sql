/*---
title: Bytes device to host
unit: B
better: lower
definition: Bytes that explicit copies moved from device to host.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: ["copy_bytes:D2H"]
source: measure copy_bytes:D2H
---*/
SELECT total_of('copy_bytes:D2H') AS value
