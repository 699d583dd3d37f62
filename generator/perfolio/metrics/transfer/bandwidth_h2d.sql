/*---
title: Host-to-device bandwidth
unit: B/s
better: higher
definition: Bytes copied from host to device over the time of those copies.
population: >-
  calling contexts at scope point whose copies all have the named direction; the tool keeps time
  and count per context, not per direction, so a context that mixes directions is left out of
  bytes and time alike
needs: ["copy_bytes:H2D", copy_time]
source: copy_bytes:H2D / copy_time
caveat: >-
  A mean over all sizes: tiny copies are bound by latency, large ones by the link.
empty: nothing was copied from host to device, or every calling context that did also copied otherwise
---*/
SELECT sum(bytes) / nullif(sum("time"), 0) AS value
FROM copy_contexts
WHERE direction = 'H2D'
