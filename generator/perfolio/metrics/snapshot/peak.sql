/*---
title: Memory at its peak
better: lower
definition: >-
  The most memory that the program held on each device, in bytes that it asked for, and what the allocator had reserved then; the most that it
  had reserved at any time; what was reserved and not held at the peak; and when the peak was, from the first event.
population: devices of memory snapshots; what happened before recording began counts as held where it still was
needs: [allocations]
source: torch.cuda.memory._dump_snapshot
caveat: A snapshot keeps the last events alone, so an earlier peak is not in it. Memory of other libraries is not either.
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: allocated, title: 'Held at most', unit: B}
  - {name: reserved, title: 'Reserved then', unit: B}
  - {name: unused, title: 'Reserved and not held', unit: B}
  - {name: most_reserved, title: 'Reserved at most', unit: B}
  - {name: moment, title: 'When', unit: s}
  - {name: allocations, title: 'Allocations recorded', unit: count}
  - {name: file, title: 'Told by', unit: text}
---*/
SELECT 'GPU ' || peak.device AS device, peak.allocated, peak.reserved, greatest(peak.reserved - peak.allocated, 0) AS unused,
    (SELECT max(held.reserved) FROM reserved_memory AS held WHERE held.witness = peak.witness AND held.device = peak.device) AS most_reserved,
    (top."time" - span.first) / 1e9 AS moment, span.allocations, witness.file
FROM snapshot_peak AS peak
JOIN witness ON witness.id = peak.witness
JOIN allocated_memory AS top ON top.witness = peak.witness AND top.device = peak.device AND top.event = peak.event
JOIN (
    SELECT witness, device, least(min(begin_time), min(end_time)) AS first, count(begin_event) AS allocations FROM allocation GROUP BY ALL
) AS span ON span.witness = peak.witness AND span.device = peak.device
ORDER BY peak.witness, peak.device
