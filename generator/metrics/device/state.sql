/*---
title: Power, clocks, temperature and memory of the device
better: neither
definition: >-
  What a monitor read from each device: the mean over all readings, the mean over those in which the device was busy (more than half of
  the time), the lowest and the highest.
population: readings of monitors, by device
needs: [device_samples]
source: fields of DCGM and nvidia-smi
caveat: Monitors average power over periods of their own, of up to a second.
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: what, title: 'What', unit: text}
  - {name: mean, title: 'Mean', unit: text}
  - {name: busy, title: 'Mean while busy', unit: text}
  - {name: lowest, title: 'Lowest', unit: text}
  - {name: highest, title: 'Highest', unit: text}
  - {name: readings, title: 'Readings', unit: count}
---*/
SELECT own.device, measure_name(own.measure) AS what, measured_text(own.measure, avg(own.value)) AS mean,
    measured_text(own.measure, avg(own.value) FILTER (WHERE busy.value > 0.5)) AS busy,
    measured_text(own.measure, min(own.value)) AS lowest, measured_text(own.measure, max(own.value)) AS highest, count(*) AS readings
FROM device_sample AS own
LEFT JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
WHERE own.measure IN (
    'power', 'power_instant', 'power_average', 'power_limit', 'temperature', 'memory_temperature', 'sm_clock', 'memory_clock', 'memory_used',
    'memory_total'
)
GROUP BY own.witness, own.device, own.measure
ORDER BY own.device, own.witness, own.measure
