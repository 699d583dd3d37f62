/*---
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
