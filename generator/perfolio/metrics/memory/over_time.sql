/*---
title: Memory over time
better: lower
definition: The most memory that was allocated and reserved in each of 200 equal parts of the run, by device.
population: allocations of the framework's allocator
needs: [memory]
source: events of the allocator
empty: no allocation was recorded
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: start, title: 'From', unit: s}
  - {name: stop, title: 'To', unit: s}
  - {name: allocated, title: 'Allocated', unit: B}
  - {name: reserved, title: 'Reserved', unit: B}
---*/
WITH used AS (
    SELECT coalesce('rank ' || profile.rank || ' ', '') || coalesce('GPU ' || device, 'host') AS device, "time",
        coalesce(allocated, sum(bytes) OVER (PARTITION BY profile.rank, device ORDER BY "time" ROWS UNBOUNDED PRECEDING)) AS allocated, reserved
    FROM memory_event AS event JOIN profile ON profile."index" = event.profile
),
seen AS (
    SELECT used.device, least(greatest(CAST((200::HUGEINT * (used."time" - span.start)) // (span.stop - span.start) AS INTEGER), 0), 199) AS bin,
        max(used.allocated) AS most, max(used.reserved) AS held, arg_max(used.allocated, used."time") AS last
    FROM used CROSS JOIN traced_span AS span WHERE span.stop > span.start GROUP BY ALL
),
-- What is allocated stays so until the next event.
filled AS (
    SELECT device.device, bins.bin, seen.most, seen.held, last_value(seen.last IGNORE NULLS) OVER earlier AS last,
        last_value(seen.held IGNORE NULLS) OVER earlier AS last_held
    FROM (SELECT DISTINCT device FROM seen) AS device CROSS JOIN range(200) AS bins(bin)
    LEFT JOIN seen ON seen.device = device.device AND seen.bin = bins.bin
    WINDOW earlier AS (PARTITION BY device.device ORDER BY bins.bin ROWS UNBOUNDED PRECEDING)
)
SELECT filled.device, filled.bin * whole.length / 200 AS start, (filled.bin + 1) * whole.length / 200 AS stop,
    coalesce(filled.most, filled.last) AS allocated, nullif(coalesce(filled.held, filled.last_held), 0) AS reserved
FROM filled CROSS JOIN (SELECT (stop - start) / 1e9 AS length FROM traced_span) AS whole
WHERE filled.last IS NOT NULL ORDER BY filled.device, filled.bin
