/*---
title: Who holds the memory at its peak
better: neither
definition: >-
  Memory that the program held at the peak of each device, by the line that allocated it: the innermost frame that is not of a library. Bytes, their
  share of all that was held, allocations, and the bytes of this line and all larger ones together.
population: allocations that were held at the peak; the first 60 lines
needs: [allocations]
source: stacks of a memory snapshot
caveat: Gradients are allocated by the line that calls backward, and states of the optimizer by the one that calls step.
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: site, title: 'Allocated by', unit: text}
  - {name: bytes, title: 'Held', unit: B}
  - {name: share, title: 'Share', unit: ratio}
  - {name: allocations, title: 'Allocations', unit: count}
  - {name: together, title: 'With all above', unit: B}
---*/
WITH held AS (
    SELECT own.witness, own.device, coalesce(site.name, 'not recorded') AS site, sum(own.bytes) AS bytes, count(*) AS allocations
    FROM allocation AS own
    JOIN snapshot_peak AS peak ON peak.witness = own.witness AND peak.device = own.device
    LEFT JOIN site_name AS site ON site.witness = own.witness AND site.site = own.site
    WHERE coalesce(own.begin_event, -1) <= peak.event AND (own.end_event IS NULL OR own.end_event > peak.event) AND own.bytes > 0
    GROUP BY ALL
)
SELECT 'GPU ' || device AS device, site, bytes, bytes / sum(bytes) OVER (PARTITION BY witness, device) AS share, allocations,
    sum(bytes) OVER (PARTITION BY witness, device ORDER BY bytes DESC, site ROWS UNBOUNDED PRECEDING) AS together
FROM held
ORDER BY witness, held.device, bytes DESC, site
LIMIT 60
