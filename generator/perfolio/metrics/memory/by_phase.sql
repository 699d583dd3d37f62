/*---
title: Memory by phase
better: lower
definition: >-
  The most memory that the framework's allocator had handed out while a thread was in a phase of the program, when that was, and what was
  allocated in it. The phase is that of the function or operator around an allocation, by its names.
population: allocations of the framework's allocator, by device and phase
needs: [memory]
source: events of the allocator; names of functions, in the store's table phase_pattern
caveat: Told just before and after something is allocated or released; a phase that does neither has no row. Where no name tells a phase, it is other.
empty: no allocation was recorded
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: phase, title: 'Phase', unit: text}
  - {name: allocated, title: 'Allocated at most', unit: B}
  - {name: of_peak, title: 'Of the peak', unit: ratio}
  - {name: moment, title: 'When', unit: s}
  - {name: bytes, title: 'Allocated in all', unit: B}
---*/
WITH used AS MATERIALIZED (
    SELECT rank, device, event.profile, "time", bytes,
        coalesce(allocated, sum(bytes) OVER (PARTITION BY rank, device ORDER BY "time" ROWS UNBOUNDED PRECEDING)) AS allocated
    FROM memory_event AS event JOIN profile ON profile."index" = event.profile
),
placed AS (
    SELECT used.*, CASE WHEN stay.start + stay.duration >= used."time" THEN stay.context END AS context
    FROM used ASOF LEFT JOIN host_stay AS stay ON stay.profile = used.profile AND stay.start <= used."time"
),
told AS (
    SELECT placed.rank, placed.device, coalesce(frame.phase, 'other') AS phase, placed."time", placed.bytes,
        greatest(placed.allocated, placed.allocated - placed.bytes) AS allocated
    FROM placed
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = placed.context
    LEFT JOIN frame ON frame.frame = enclosing.frame
)
SELECT coalesce('rank ' || told.rank || ' ', '') || coalesce('GPU ' || told.device, 'host') AS device, told.phase, max(told.allocated) AS allocated,
    max(told.allocated) / nullif(max(max(told.allocated)) OVER (PARTITION BY told.rank, told.device), 0) AS of_peak,
    (arg_max(told."time", (told.allocated, -told."time")) - any_value(span.start)) / 1e9 AS moment,
    coalesce(sum(told.bytes) FILTER (WHERE told.bytes > 0), 0) AS bytes
FROM told LEFT JOIN traced_span AS span ON true
GROUP BY told.rank, told.device, told.phase
ORDER BY told.rank, told.device NULLS LAST, allocated DESC, told.phase
