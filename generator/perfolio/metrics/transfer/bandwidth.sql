/*---
title: Host-link bandwidth
unit: B/s
better: higher
definition: Bytes copied between host and device, in both directions, over the time of those copies.
population: >-
  calling contexts at scope point whose copies all have the named direction; the tool keeps time
  and count per context, not per direction, so a context that mixes directions is left out of
  bytes and time alike
needs: ["copy_bytes:H2D", "copy_bytes:D2H", copy_time]
source: (copy_bytes:H2D + copy_bytes:D2H) / copy_time
caveat: >-
  A mean over all sizes: tiny copies are bound by latency, large ones by the link. Copies that
  overlap count each in full. Whether memory was pinned is not recorded.
empty: nothing was copied between host and device, or every calling context that did also copied otherwise
---*/
SELECT sum(bytes) / nullif(sum("time"), 0) AS value
FROM copy_contexts
WHERE direction IN ('H2D', 'D2H')
