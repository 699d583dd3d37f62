/*---
defaults:
  unit: ratio
  better: higher
  population: readings of monitors while the device was busy
  needs: [device_samples]
  caveat: Monitors average over periods of their own, of a tenth of a second to a second.
  empty: no monitor read this field, or no reading was of a busy device
---*/

/*---
name: memory_active
title: Device memory, mean while busy
definition: >-
  Share of cycles in which device memory sent or received, by a monitor: the mean of its readings in which the device was busy (more than
  half of the time), over all devices.
source: field DRAM_ACTIVE (1005) of DCGM
---*/
SELECT avg(own.value) AS value, count(*) AS n
FROM device_sample AS own
JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
WHERE own.measure = 'dram_active' AND busy.value > 0.5
HAVING count(*) > 0

/*---
name: tensor_active
title: Tensor cores, mean while busy
definition: >-
  Share of cycles in which the tensor cores were at work, by a monitor: the mean of its readings in which the device was busy (more than
  half of the time), over all devices.
source: field PIPE_TENSOR_ACTIVE (1004) of DCGM
---*/
SELECT avg(own.value) AS value, count(*) AS n
FROM device_sample AS own
JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
WHERE own.measure = 'tensor_active' AND busy.value > 0.5
HAVING count(*) > 0

/*---
name: throttled_share
title: Time at a lowered clock
better: lower
definition: >-
  Share of the busy readings in which the driver gave a reason for a lower clock: power, heat or a brake; neither idleness nor settings
  of applications count.
population: readings of nvidia-smi in which the device was busy for more than half of the time
source: clocks_event_reasons of nvidia-smi; the bits are those of NVML
caveat: A reason says that the clock was lowered, not by how much.
empty: the monitor read no reasons for clocks, or never while the device was busy
---*/
SELECT avg(if((CAST(own.value AS BIGINT) & 236) <> 0, 1.0, 0.0)) AS value, count(*) AS n
FROM device_sample AS own
JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
WHERE own.measure = 'throttle_reasons' AND busy.value > 0.5
HAVING count(*) > 0
