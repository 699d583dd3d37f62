/*---
title: Power, clocks, temperature and memory of the device
better: neither
definition: >-
  What a monitor read from each device: power at work (device.power); the mean clock of multiprocessors over readings in which the device was
  busy (more than half of the time), else over all; the highest power, its limit, the lowest and the highest clock, the
  highest temperature and memory in use.
population: readings of monitors, by device
needs: [device_samples]
source: fields of DCGM and nvidia-smi
caveat: Monitors average power over periods of their own, of up to a second.
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: power, title: 'Power at work', unit: W}
  - {name: most_power, title: 'Highest power', unit: W}
  - {name: power_limit, title: 'Limit of power', unit: W}
  - {name: clock, title: 'Clock while busy', unit: Hz}
  - {name: least_clock, title: 'Lowest clock', unit: Hz}
  - {name: most_clock, title: 'Highest clock', unit: Hz}
  - {name: temperature, title: 'Highest temperature', unit: "°C"}
  - {name: memory, title: 'Memory in use at most', unit: B}
  - {name: memory_total, title: 'Memory', unit: B}
  - {name: readings, title: 'Readings', unit: count}
---*/
SELECT own.device,
    (
        SELECT avg(power.power) FROM settled_power AS power
        WHERE power.witness = own.witness AND power.device = own.device AND coalesce(power.is_active, true)
    ) AS power,
    max(own.value) FILTER (WHERE measure = 'power') AS most_power, max(own.value) FILTER (WHERE measure = 'power_limit') AS power_limit,
    coalesce(avg(own.value) FILTER (WHERE measure = 'sm_clock' AND busy.value > 0.5), avg(own.value) FILTER (WHERE measure = 'sm_clock')) AS clock,
    min(own.value) FILTER (WHERE measure = 'sm_clock') AS least_clock, max(own.value) FILTER (WHERE measure = 'sm_clock') AS most_clock,
    max(own.value) FILTER (WHERE measure = 'temperature') AS temperature, max(own.value) FILTER (WHERE measure = 'memory_used') AS memory,
    max(own.value) FILTER (WHERE measure = 'memory_total') AS memory_total, count(DISTINCT own.tick) AS readings
FROM device_sample AS own
LEFT JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
GROUP BY own.witness, own.device
HAVING bool_or(own.measure IN ('power', 'sm_clock', 'temperature', 'memory_used'))
ORDER BY own.device, own.witness
