/*---
name: failed
title: Requests that no memory was left for
better: lower
definition: >-
  Each request that failed: what was asked for, what was free on the device, what the allocator had reserved and the program held then, what lacked
  (the request less what was free on the device), and how many of the lines that held most would have to be freed for that.
population: out-of-memory events of memory snapshots; the first 20
needs: [allocations]
source: torch.cuda.memory._dump_snapshot
caveat: >-
  What is reserved and not held may fit the request if it is in one piece; the allocator gave up, so it was not. Lines count what they held at the
  moment. A program may catch the error and go on.
empty: no request failed
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: site, title: 'Asked by', unit: text}
  - {name: bytes, title: 'Asked for', unit: B}
  - {name: free, title: 'Free on the device', unit: B}
  - {name: reserved, title: 'Reserved', unit: B}
  - {name: allocated, title: 'Held', unit: B}
  - {name: lacking, title: 'Lacking', unit: B}
  - {name: lines, title: 'Lines to free', unit: count}
---*/
WITH failure AS (
    SELECT own.*, greatest(own.bytes - own.free, 0) AS lacking,
        (
            SELECT arg_max(held.allocated, held.event) FROM allocated_memory AS held
            WHERE held.witness = own.witness AND held.device = own.device AND held.event < own.event
        ) AS allocated,
        (
            SELECT arg_max(held.reserved, held.event) FROM reserved_memory AS held
            WHERE held.witness = own.witness AND held.device = own.device AND held.event < own.event
        ) AS reserved
    FROM out_of_memory AS own
),
held AS (
    SELECT failure.witness, failure.device, failure.event, own.site, sum(own.bytes) AS bytes
    FROM (SELECT DISTINCT witness, device, event FROM failure) AS failure
    JOIN allocation AS own ON own.witness = failure.witness AND own.device = failure.device
        AND coalesce(own.begin_event, -1) < failure.event AND (own.end_event IS NULL OR own.end_event > failure.event)
    GROUP BY ALL
),
ranked AS (
    SELECT witness, device, event, row_number() OVER largest AS place, sum(bytes) OVER largest AS together
    FROM held WINDOW largest AS (PARTITION BY witness, device, event ORDER BY bytes DESC, site ROWS UNBOUNDED PRECEDING)
)
SELECT 'GPU ' || failure.device AS device, site.name AS site, failure.bytes, failure.free, failure.reserved, failure.allocated, failure.lacking,
    (
        SELECT min(place) FROM ranked
        WHERE ranked.witness = failure.witness AND ranked.device = failure.device AND ranked.event = failure.event
            AND ranked.together >= failure.lacking
    ) AS lines
FROM failure LEFT JOIN site_name AS site ON site.witness = failure.witness AND site.site = failure.site
ORDER BY failure.witness, failure.device, failure.event
LIMIT 20

/*---
name: fragmentation
title: Memory that is reserved and not used
better: lower
definition: >-
  When the snapshot was taken: memory that the allocator had reserved on each device, what blocks of it were handed out, what was free in it, the
  largest free block, and fragmentation: the share of the free memory that is not in that block. What rounding costs is what
  blocks have above what was asked for.
population: segments and blocks of memory snapshots
needs: [memory_snapshot]
source: torch.cuda.memory._dump_snapshot
caveat: A request larger than the largest free block makes the allocator reserve more, and fails where the device has no more.
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: reserved, title: 'Reserved', unit: B}
  - {name: allocated, title: 'Handed out', unit: B}
  - {name: rounding, title: 'Rounding', unit: B}
  - {name: free, title: 'Free in it', unit: B}
  - {name: largest, title: 'Largest free block', unit: B}
  - {name: fragmentation, title: 'Fragmentation', unit: ratio}
  - {name: segments, title: 'Segments', unit: count}
  - {name: blocks, title: 'Blocks', unit: count}
---*/
WITH block AS (
    SELECT witness, device, sum(bytes) FILTER (WHERE state = 'active_allocated') AS allocated,
        sum(bytes - requested) FILTER (WHERE state = 'active_allocated' AND requested > 0 AND requested <= bytes) AS rounding,
        sum(bytes) FILTER (WHERE state = 'inactive') AS free, max(bytes) FILTER (WHERE state = 'inactive') AS largest, count(*) AS blocks
    FROM memory_block GROUP BY ALL
)
SELECT 'GPU ' || own.device AS device, sum(own.bytes) AS reserved, coalesce(any_value(block.allocated), 0) AS allocated,
    coalesce(any_value(block.rounding), 0) AS rounding, coalesce(any_value(block.free), 0) AS free, any_value(block.largest) AS largest,
    1 - any_value(block.largest) / any_value(block.free) AS fragmentation, count(*) AS segments, coalesce(any_value(block.blocks), 0) AS blocks
FROM memory_segment AS own LEFT JOIN block ON block.witness = own.witness AND block.device = own.device
GROUP BY own.witness, own.device
ORDER BY own.witness, own.device
