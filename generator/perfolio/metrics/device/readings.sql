/*---
name: activity
title: How busy the device's parts were
better: neither
definition: >-
  Shares that a monitor read from each device, over all readings and over those in which the device was busy (more than half of
  the time, by the share with at least one kernel): mean, and the highest.
population: readings of monitors, by device
needs: [device_samples]
source: fields of DCGM and nvidia-smi
caveat: >-
  A device counts as busy with one kernel on one multiprocessor. Monitors average over periods of their own, of a tenth of a second to a second.
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: part, title: 'Part', unit: text}
  - {name: mean, title: 'Mean', unit: ratio}
  - {name: busy, title: 'Mean while busy', unit: ratio}
  - {name: highest, title: 'Highest', unit: ratio}
  - {name: readings, title: 'Readings', unit: count}
  - {name: tool, title: 'Read by', unit: text}
---*/
SELECT own.device,
    CASE own.measure
        WHEN 'gpu_active' THEN 'with a kernel' WHEN 'graphics_active' THEN 'any engine' WHEN 'sm_active' THEN 'multiprocessors with a warp'
        WHEN 'sm_occupancy' THEN 'resident warps' WHEN 'tensor_active' THEN 'tensor cores' WHEN 'dram_active' THEN 'device memory'
        WHEN 'memory_busy' THEN 'device memory, by any kernel or copy' ELSE replace(upper(own.measure), '_ACTIVE', ' units')
    END AS part,
    avg(own.value) AS mean, avg(own.value) FILTER (WHERE busy.value > 0.5) AS busy,
    max(own.value) AS highest, count(*) AS readings, any_value(witness.tool) AS tool
FROM device_sample AS own
JOIN witness ON witness.id = own.witness
LEFT JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
WHERE regexp_matches(own.measure, '_(active|occupancy|busy)$')
GROUP BY own.witness, own.device, own.measure
ORDER BY own.device, own.witness, own.measure

/*---
name: over_time
title: The device over time
better: neither
definition: >-
  Readings of each device in at most 200 slices of equal length or number of readings: means of the share with at least one kernel, of the activity of
  multiprocessors, tensor cores and memory, of power, clock and memory in use. Time counts from the first reading; where the file gives no time,
  it is the number of the reading.
population: readings of monitors, by device; the first 1,600 slices
needs: [device_samples]
source: fields of DCGM and nvidia-smi
caveat: The clock of the monitor is not that of the trace.
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: tool, title: 'Read by', unit: text}
  - {name: at, title: 'From the first reading', unit: s}
  - {name: reading, title: 'Reading', unit: count}
  - {name: gpu_active, title: 'With a kernel', unit: ratio}
  - {name: sm_active, title: 'Multiprocessors', unit: ratio}
  - {name: tensor_active, title: 'Tensor cores', unit: ratio}
  - {name: dram_active, title: 'Memory', unit: ratio}
  - {name: power, title: 'Power', unit: W}
  - {name: sm_clock, title: 'Clock', unit: Hz}
  - {name: memory_used, title: 'Memory in use', unit: B}
---*/
WITH size AS (
    SELECT witness, device, max(tick) + 1 AS ticks, min("time") AS first FROM device_sample WHERE measure NOT LIKE 'window%' GROUP BY ALL
),
sliced AS (
    SELECT own.witness, own.device, own.measure, own.value, own.tick, own."time" - size.first AS passed,
        own.tick * least(size.ticks, 200) // size.ticks AS slice
    FROM device_sample AS own JOIN size ON size.witness = own.witness AND size.device = own.device WHERE own.measure NOT LIKE 'window%'
)
SELECT sliced.device, any_value(witness.tool) AS tool, min(passed) / 1e9 AS at, min(tick) AS reading,
    avg(value) FILTER (WHERE measure IN ('gpu_active', 'graphics_active')) AS gpu_active,
    avg(value) FILTER (WHERE measure = 'sm_active') AS sm_active, avg(value) FILTER (WHERE measure = 'tensor_active') AS tensor_active,
    avg(value) FILTER (WHERE measure IN ('dram_active', 'memory_busy')) AS dram_active, avg(value) FILTER (WHERE measure = 'power') AS power,
    avg(value) FILTER (WHERE measure = 'sm_clock') AS sm_clock, avg(value) FILTER (WHERE measure = 'memory_used') AS memory_used
FROM sliced JOIN witness ON witness.id = sliced.witness
GROUP BY sliced.witness, sliced.device, slice
ORDER BY sliced.device, sliced.witness, slice
LIMIT 1600

/*---
name: state
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
