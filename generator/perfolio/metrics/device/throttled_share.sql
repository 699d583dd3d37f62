/*---
title: Time at a lowered clock
unit: ratio
better: lower
definition: >-
  Share of the busy readings in which the driver gave a reason for a lower clock: power, heat or a brake; neither idleness nor settings
  of applications count.
population: readings of nvidia-smi in which the device was busy for more than half of the time
needs: [device_samples]
source: clocks_event_reasons of nvidia-smi; the bits are those of NVML
caveat: A reason says that the clock was lowered, not by how much.
empty: the monitor read no reasons for clocks, or never while the device was busy
---*/
SELECT avg(if((CAST(own.value AS BIGINT) & 236) <> 0, 1.0, 0.0)) AS value, count(*) AS n
FROM device_sample AS own
JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
WHERE own.measure = 'throttle_reasons' AND busy.value > 0.5
HAVING count(*) > 0
