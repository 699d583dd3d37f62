/*---
name: peak
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

/*---
name: sites
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

/*---
name: categories
title: What memory held at its peak, and what releases that
better: neither
definition: >-
  Memory that the program held at the peak of each device, by category: parameters (with buffers), gradients, states of the optimizer, activations
  (with inputs), and other. The category is told by the code that asked and released, by its stack, and by the allocation's life. Of it what
  backward releases, what other code does, and what is kept to the end; the most of the category at any time, and what it had at the end.
population: allocations that were held at the peak of a memory snapshot
needs: [allocations]
source: stacks and lives of allocations in a memory snapshot
caveat: >-
  Backward asks without a stack, on threads of its own. Buffers that a framework shares out, as for gradients of several ranks, count as other. What
  was held before recording began is told by sizes alone.
empty: the snapshot has no stacks
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: category, title: 'Category', unit: text}
  - {name: bytes, title: 'Held at the peak', unit: B}
  - {name: share, title: 'Share', unit: ratio}
  - {name: backward, title: 'Backward releases', unit: B}
  - {name: program, title: 'Other code releases', unit: B}
  - {name: kept, title: 'Kept to the end', unit: B}
  - {name: most, title: 'At most', unit: B}
  - {name: last, title: 'At the end', unit: B}
  - {name: allocations, title: 'Allocations', unit: count}
---*/
WITH held AS (
    SELECT own.witness, own.device, own.category, sum(own.bytes) AS bytes, count(*) AS allocations,
        coalesce(sum(own.bytes) FILTER (WHERE own.end_event IS NULL), 0) AS kept,
        coalesce(sum(own.bytes) FILTER (WHERE own.end_event IS NOT NULL AND coalesce(own.end_origin, 'backward') = 'backward'), 0) AS backward
    FROM allocation_category AS own
    JOIN snapshot_peak AS peak ON peak.witness = own.witness AND peak.device = own.device
    WHERE coalesce(own.begin_event, -1) <= peak.event AND (own.end_event IS NULL OR own.end_event > peak.event) AND own.bytes > 0
    GROUP BY ALL
),
-- One row for each category.
course AS (
    SELECT own.witness, own.device, own.event, name.category, CASE name.category WHEN 'parameters' THEN parameters WHEN 'gradients' THEN gradients
            WHEN 'optimizer' THEN optimizer WHEN 'activations' THEN activations ELSE other END AS bytes
    FROM category_memory AS own
    CROSS JOIN (VALUES ('parameters'), ('gradients'), ('optimizer'), ('activations'), ('other')) AS name(category)
),
known AS (
    SELECT witness, device, category, max(bytes) AS most, arg_max(bytes, event) AS last FROM course GROUP BY ALL HAVING max(bytes) > 0
)
SELECT 'GPU ' || known.device AS device, if(known.category = 'optimizer', 'states of the optimizer', known.category) AS category,
    coalesce(held.bytes, 0) AS bytes, coalesce(held.bytes, 0) / sum(held.bytes) OVER (PARTITION BY known.witness, known.device) AS share,
    coalesce(held.backward, 0) AS backward, coalesce(held.bytes - held.backward - held.kept, 0) AS program, coalesce(held.kept, 0) AS kept,
    known.most, known.last, coalesce(held.allocations, 0) AS allocations
FROM known
LEFT JOIN held ON held.witness = known.witness AND held.device = known.device AND held.category = known.category
ORDER BY known.witness, known.device, bytes DESC, known.category

/*---
name: activation_share
title: Activations in the peak of memory
unit: ratio
better: neither
definition: Activations (snapshot.categories) that were held at the peak, of all memory that the program held then; the device with the highest peak.
population: allocations that were held at the peak of a memory snapshot
needs: [allocations]
source: stacks and lives of allocations in a memory snapshot
empty: the snapshot has no stacks, or no backward
---*/
SELECT own.activations / nullif(peak.allocated, 0) AS value
FROM snapshot_peak AS peak
JOIN category_memory AS own ON own.witness = peak.witness AND own.device = peak.device AND own.event = peak.event
WHERE EXISTS (FROM backward_start)
ORDER BY peak.allocated DESC, peak.witness, peak.device LIMIT 1

/*---
name: over_time
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

/*---
name: device_share
title: Memory of the GPU that a snapshot shows as reserved at most
unit: ratio
better: lower
definition: The most memory that the framework's allocator had reserved on a device of a memory snapshot, as a share of the device's memory.
population: the device of memory snapshots with the most of it; memory of other libraries and programs comes on top
needs: [allocations, device.memory]
source: torch.cuda.memory._dump_snapshot, and the device's memory as the profiler gives it
caveat: The snapshot may be of another execution than the profile.
---*/
SELECT max(reserved) / any_value(TRY_CAST(setting.value AS DOUBLE)) AS value
FROM reserved_memory CROSS JOIN (SELECT value FROM setting WHERE key = 'device.memory') AS setting
HAVING count(*) > 0
