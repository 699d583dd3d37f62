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
name: power
title: Power while busy
unit: W
better: neither
definition: >-
  Mean power of the devices over readings in which they were busy for more than half of the time; of readings without such a share, over all. The
  mean over devices.
population: readings of monitors
source: power.draw of nvidia-smi, POWER of DCGM
caveat: Monitors average power over up to a second, so the first readings of busy time tell less than was drawn.
empty: the monitor read no power
---*/
SELECT avg(power) AS value, sum(n) AS n FROM (
    SELECT own.device, avg(own.value) AS power, count(*) AS n
    FROM device_sample AS own
    LEFT JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
    WHERE own.measure = 'power' AND coalesce(busy.value > 0.5, true)
    GROUP BY own.device
)
HAVING count(*) > 0

/*---
name: step_energy
title: Energy of a step
unit: J
better: lower
definition: Mean power while busy (device.power) of one device, times the typical step or iteration of the trace.
population: busy readings of monitors; complete iterations that are no warm-up, else steps
needs: [device_samples, gpu_trace]
source: readings of power, and the trace
caveat: >-
  Of the GPUs alone, and of one of several. The monitor may have watched another execution, and averages over up to a second: valid where
  steps go on for longer than that.
empty: the monitor read no power, or the trace has no iterations
---*/
SELECT power.value * step.typical AS value
FROM (
    SELECT avg(own.value) AS value
    FROM device_sample AS own
    LEFT JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
    WHERE own.measure = 'power' AND coalesce(busy.value > 0.5, true)
) AS power
CROSS JOIN (SELECT length / 1e9 AS typical FROM iteration_length) AS step
WHERE power.value IS NOT NULL AND step.typical > 0

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
