/*---
name: savings
title: What steps would take off the peak of memory
better: higher
definition: >-
  For each step the peak that the recorded allocations would have had if those of a category were smaller by the step's factor, over all events,
  as the peak may move; and what that is below the recorded peak. Recomputing leaves out all activations, so its saving is an upper bound: what
  is recomputed at a time, and inputs of the parts, stay. Shards are of 8 ranks, without buffers of their collectives.
population: allocations of the device with the highest peak of a memory snapshot
needs: [allocations]
source: 'stacks and lives of allocations in a memory snapshot; shards: Rajbhandari et al., ZeRO, 2020; states in 8 bits: Dettmers et al., 2021'
caveat: >-
  Savings do not add up. What is sharded or narrow already is not known from a snapshot. States of 32 bits become a quarter in 8 bits, activations
  of 32 bits a half in 16.
empty: the snapshot has no stacks, or no step would lower the peak
columns:
  - {name: step, title: 'Step', unit: text}
  - {name: saving, title: 'Saves', unit: B}
  - {name: share, title: 'Of the peak', unit: ratio}
  - {name: peak, title: 'Peak afterwards', unit: B}
  - {name: bound, title: 'Bound', unit: text}
  - {name: price, title: 'Price', unit: text}
---*/
SELECT step, recorded - peak AS saving, (recorded - peak) / recorded AS share, peak, bound, price
FROM memory_step WHERE peak < recorded
QUALIFY row_number() OVER (PARTITION BY peak ORDER BY place) = 1   -- the step that asks for least, where several leave the same
ORDER BY saving DESC, step

/*---
name: devices
title: Devices that would hold the peak, and the step that would make it fit
better: neither
definition: >-
  Devices of the table of hardware by their nominal memory, beside the highest peak of a memory snapshot. A device holds it where what was reserved at
  most fits, and without fragmentation where only what the program held does; else, where the peak after a step of snapshot.savings fits,
  with the one that leaves most.
population: the device of a memory snapshot with the highest peak; nominal memory of other devices
needs: [allocations]
source: torch.cuda.memory._dump_snapshot; the store's table device_memory
caveat: The context of the device, other libraries and buffers of collectives take a gigabyte or more beside it.
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: memory, title: 'Memory', unit: B}
  - {name: holds, title: 'Holds it', unit: text}
  - {name: left, title: 'Left beside what was held', unit: B}
  - {name: to_free, title: 'To free to fit', unit: B}
---*/
WITH most AS (
    SELECT allocated, (
            SELECT max(held.reserved) FROM reserved_memory AS held WHERE held.witness = peak.witness AND held.device = peak.device
        ) AS reserved
    FROM snapshot_peak AS peak ORDER BY allocated DESC, witness, device LIMIT 1
)
SELECT known.name AS device, known.bytes AS memory,
    CASE
        WHEN coalesce(most.reserved, most.allocated) <= known.bytes THEN 'yes'
        WHEN most.allocated <= known.bytes THEN 'without fragmentation'
        ELSE coalesce((SELECT 'with: ' || arg_min(own.step, own.peak) FROM memory_step AS own WHERE own.peak <= known.bytes), 'no')
    END AS holds,
    CASE WHEN most.allocated <= known.bytes THEN known.bytes - most.allocated END AS "left",
    CASE WHEN most.allocated > known.bytes THEN most.allocated - known.bytes END AS to_free
FROM device_memory AS known CROSS JOIN most
ORDER BY known.bytes, known.name
