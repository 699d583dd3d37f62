/*---
title: Memory in use at most
better: lower
definition: >-
  The most memory that the framework's allocator had handed out, and that it had reserved, on each device and on the
  host; when that was, from the begin of the run; and the innermost operator or function that allocated then.
population: allocations of the framework's allocator; memory of other libraries is not in it
needs: [memory]
source: events of the allocator
caveat: Memory that was allocated before recording began counts where the tool gives totals, and not where it gives changes alone.
empty: no allocation was recorded
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: allocated, title: 'Allocated at most', unit: B}
  - {name: reserved, title: 'Reserved at most', unit: B}
  - {name: moment, title: 'When', unit: s}
  - {name: by, title: 'Allocated by', unit: text}
  - {name: allocations, title: 'Allocations', unit: count}
  - {name: bytes, title: 'Allocated in all', unit: B}
---*/
WITH used AS MATERIALIZED (
    SELECT rank, device, event.profile, "time", bytes, reserved,
        coalesce(allocated, sum(bytes) OVER (PARTITION BY rank, device ORDER BY "time" ROWS UNBOUNDED PRECEDING)) AS allocated
    FROM memory_event AS event JOIN profile ON profile."index" = event.profile
),
most AS (
    SELECT rank, device, max(allocated) AS allocated, max(reserved) AS reserved, arg_max("time", allocated) AS "time",
        arg_max(profile, allocated) AS profile, count(*) FILTER (WHERE bytes > 0) AS allocations, sum(bytes) FILTER (WHERE bytes > 0) AS bytes
    FROM used GROUP BY rank, device
)
SELECT coalesce('rank ' || most.rank || ' ', '') || coalesce('GPU ' || most.device, 'host') AS device,
    most.allocated, nullif(most.reserved, 0) AS reserved,
    (most."time" - span.start) / 1e9 AS moment,
    (
        SELECT context_name.name
        FROM host_stay AS stay JOIN context_name ON context_name.context = stay.context
        WHERE stay.profile = most.profile AND stay.start <= most."time" AND stay.start + stay.duration >= most."time"
        ORDER BY stay.start DESC LIMIT 1
    ) AS by,
    most.allocations, most.bytes
FROM most LEFT JOIN traced_span AS span ON true
ORDER BY most.rank, most.device NULLS LAST
