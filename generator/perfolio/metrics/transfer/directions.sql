/*---
title: Copies by direction
better: higher
definition: >-
  Bytes, time, bandwidth and number of copies by direction (H host, D device, A array, P2P from one
  device to another), and bandwidth between host and device over the link's rate in one direction.
population: >-
  calling contexts at scope point; the tool keeps time and count per calling context, not per
  direction: they are given where no context mixes the direction with another, and are empty
  otherwise
needs: ["copy_bytes:H2D", "copy_bytes:D2H", "copy_bytes:D2D", copy_time]
source: measures copy_bytes
caveat: >-
  Means over all sizes: tiny copies are bound by latency, large ones by the link.
empty: the profile records no copy
columns:
  - {name: direction, title: 'Direction', unit: text}
  - {name: bytes, title: 'Bytes', unit: B}
  - {name: time, title: 'Time', unit: s}
  - {name: bandwidth, title: 'Bandwidth', unit: B/s}
  - {name: copies, title: 'Copies', unit: count}
  - {name: link, title: 'Share of link rate', unit: ratio}
---*/
WITH moved AS (
    SELECT regexp_extract(cost.name, ':(\w+)', 1) AS direction, cost.context, cost.value AS bytes
    FROM cost
    WHERE cost.scope = 'point' AND cost.name LIKE 'copy_bytes:%' AND cost.context <> 0
),
by_direction AS (
    SELECT moved.direction, sum(moved.bytes) AS bytes,
        CASE WHEN bool_and(copied.direction <> 'mixed') THEN nullif(sum(copied."time"), 0) END AS "time",
        CASE WHEN bool_and(copied.direction <> 'mixed' AND copied.copies IS NOT NULL) THEN sum(copied.copies) END AS copies
    FROM moved
    JOIN copy_contexts AS copied ON copied.context = moved.context
    GROUP BY moved.direction
)
SELECT by_direction.direction, bytes, "time", bytes / "time" AS bandwidth, copies,
    CASE WHEN by_direction.direction IN ('H2D', 'D2H') THEN bytes / "time" / device.link_bandwidth END AS link
FROM by_direction
LEFT JOIN (
    SELECT hardware.link_bandwidth FROM hardware JOIN run ON run.hardware = hardware.name
) AS device ON true
ORDER BY bytes DESC, by_direction.direction
