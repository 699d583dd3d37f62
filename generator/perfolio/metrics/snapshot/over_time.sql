/*---
title: Memory of the snapshot over its events
better: lower
definition: >-
  The most memory that the program held, and that the allocator had reserved, in each of at most 200 equal parts of the events of a memory
  snapshot, by device; when each part begins, from the first event; and what held it at that most, by category, where there are stacks.
population: events of memory snapshots
needs: [allocations]
source: torch.cuda.memory._dump_snapshot
caveat: Parts have equal numbers of events, and not equal lengths of time.
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: part, title: 'Part', unit: id}
  - {name: start, title: 'From', unit: s}
  - {name: allocated, title: 'Held', unit: B}
  - {name: reserved, title: 'Reserved', unit: B}
  - {name: parameters, title: 'Parameters', unit: B}
  - {name: gradients, title: 'Gradients', unit: B}
  - {name: optimizer, title: 'States of the optimizer', unit: B}
  - {name: activations, title: 'Activations', unit: B}
  - {name: other, title: 'Other', unit: B}
---*/
WITH size AS (
    SELECT witness, device, max(event) + 1 AS events, min("time") AS first FROM allocated_memory GROUP BY ALL
),
held AS (
    SELECT own.witness, own.device, greatest(own.event, 0) * least(size.events, 200) // greatest(size.events, 1) AS part,
        min(own."time" - size.first) / 1e9 AS start, max(own.allocated) AS allocated,
        arg_max(own.event, (own.allocated, -own.event)) AS event
    FROM allocated_memory AS own JOIN size ON size.witness = own.witness AND size.device = own.device GROUP BY ALL
),
reserve AS (
    SELECT own.witness, own.device, greatest(own.event, 0) * least(size.events, 200) // greatest(size.events, 1) AS part,
        max(own.reserved) AS reserved, arg_max(own.reserved, own.event) AS last
    FROM reserved_memory AS own JOIN size ON size.witness = own.witness AND size.device = own.device GROUP BY ALL
)
SELECT 'GPU ' || held.device AS device, held.part, held.start, held.allocated,
    greatest(
        reserve.reserved,
        (
            SELECT arg_max(earlier.last, earlier.part) FROM reserve AS earlier
            WHERE earlier.witness = held.witness AND earlier.device = held.device AND earlier.part < held.part
        )
    ) AS reserved,
    known.parameters, known.gradients, known.optimizer, known.activations, known.other
FROM held
LEFT JOIN reserve ON reserve.witness = held.witness AND reserve.device = held.device AND reserve.part = held.part
LEFT JOIN category_memory AS known ON known.witness = held.witness AND known.device = held.device AND known.event = held.event
ORDER BY held.witness, held.device, held.part
