/*---
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
