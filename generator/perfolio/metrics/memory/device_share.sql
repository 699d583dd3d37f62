/*---
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
