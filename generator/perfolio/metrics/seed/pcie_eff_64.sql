/*---
title: Bytes to the device against 64 GB/s
unit: ratio
better: neither
definition: >-
  Bytes from host to device over the time of all copies, as a share of 64 GB/s. The time holds
  other directions too, and 64 GB/s is the rate of PCIe 5.0 x16 in one direction rounded up,
  taken for any machine. See transfer.link_efficiency.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: ["copy_bytes:H2D", copy_time]
source: >-
  a formula of hand-made reports, kept to explain why their number differs; never used in a
  finding
empty: the profile records no copy time
---*/
SELECT total_of('copy_bytes:H2D') / nullif(total_of('copy_time'), 0) / 64e9 AS value
