/*---
title: Link efficiency
unit: ratio
better: higher
definition: >-
  Host-link bandwidth over the link's rate in one direction. Each copy uses one direction, so
  the rate of one direction is the ceiling.
population: >-
  calling contexts at scope point whose copies all have the named direction; the tool keeps time
  and count per context, not per direction, so a context that mixes directions is left out of
  bytes and time alike
needs: ["copy_bytes:H2D", "copy_bytes:D2H", copy_time, hardware.link_bandwidth]
source: transfer.bandwidth / hardware.link_bandwidth
caveat: A mean over all sizes; a run of tiny copies cannot reach the link's rate.
empty: no calling context copied between host and device only
---*/
SELECT sum(copied.bytes) / nullif(sum(copied."time"), 0) / any_value(hardware.link_bandwidth) AS value
FROM copy_contexts AS copied
CROSS JOIN run
JOIN hardware ON hardware.name = run.hardware
WHERE copied.direction IN ('H2D', 'D2H')
