/*---
name: device_share
title: Memory of the GPU that was reserved at most
unit: ratio
better: lower
definition: >-
  The most memory that the framework's allocator had reserved on a device, or handed out where the tool does not tell
  what was reserved, as a share of the device's memory: the device with the most of it.
population: allocations of the framework's allocator; memory of other libraries and programs comes on top
needs: [memory, device.memory]
source: events of the allocator, and the device's memory as the tool gives it
empty: no allocation on a device was recorded with its total
---*/
SELECT max(greatest(coalesce(reserved, 0), coalesce(allocated, 0))) / any_value(TRY_CAST(setting.value AS DOUBLE)) AS value, count(*) AS n
FROM memory_event CROSS JOIN (SELECT value FROM setting WHERE key = 'device.memory') AS setting
WHERE device IS NOT NULL AND (reserved > 0 OR allocated > 0)
HAVING count(*) > 0

/*---
name: devices
title: Devices that would hold it
better: neither
definition: >-
  Devices of the table of hardware by their nominal memory, beside the most memory that was allocated and reserved on one device in this
  run: what is left, or what has to be freed to fit. A device holds it at once where what was reserved fits, and without fragmentation
  where only what was allocated does.
population: the device of this run with the most allocated memory; the run's own device with the memory that the tool read from it
needs: [memory]
source: events of the allocator; nominal memory of other devices, in the store's table device_memory
caveat: The context of the device, other libraries and buffers of collectives take a gigabyte or more beside it.
empty: no allocation on a device was recorded
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: memory, title: 'Memory', unit: B}
  - {name: holds, title: 'Holds it', unit: text}
  - {name: left, title: 'Left beside what was allocated', unit: B}
  - {name: to_free, title: 'To free to fit', unit: B}
---*/
WITH most AS (
    SELECT max(allocated) AS allocated, max(greatest(coalesce(reserved, 0), allocated)) AS reserved
    FROM memory_use WHERE device IS NOT NULL HAVING count(*) > 0
),
known AS (
    SELECT nominal.name, coalesce(TRY_CAST(own.value AS DOUBLE), nominal.bytes) AS bytes
    FROM device_memory AS nominal
    LEFT JOIN run ON run.hardware = nominal.name
    LEFT JOIN setting AS own ON own.key = 'device.memory' AND run.hardware IS NOT NULL
)
SELECT known.name AS device, known.bytes AS memory,
    CASE WHEN most.reserved <= known.bytes THEN 'yes' WHEN most.allocated <= known.bytes THEN 'without fragmentation' ELSE 'no' END AS holds,
    CASE WHEN most.allocated <= known.bytes THEN known.bytes - most.allocated END AS "left",
    CASE WHEN most.allocated > known.bytes THEN most.allocated - known.bytes END AS to_free
FROM known CROSS JOIN most
ORDER BY known.bytes, known.name
