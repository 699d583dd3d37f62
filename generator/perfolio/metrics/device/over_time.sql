/*---
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
    SELECT witness, device, max(tick) + 1 AS ticks, min("time") AS first FROM device_sample GROUP BY ALL
),
sliced AS (
    SELECT own.witness, own.device, own.measure, own.value, own.tick, own."time" - size.first AS passed,
        own.tick * least(size.ticks, 200) // size.ticks AS slice
    FROM device_sample AS own JOIN size ON size.witness = own.witness AND size.device = own.device
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
