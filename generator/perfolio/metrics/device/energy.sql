/*---
defaults:
  needs: [device_samples]
  population: readings of monitors at work, by device; of several devices the mean
  empty: the monitor read no power
---*/

/*---
name: energy
title: Energy that the device drew
better: lower
definition: >-
  Time that a monitor watched each device, the mean power and the energy, by whether the device had a kernel: trapezoids between
  consecutive readings. In the first second after a change the mean of the other readings of the state stands in, as a reading is a mean
  of the last second. Energy can be off by its doubt, where power changed between two readings. A counter of energy tells the whole alone, and Zeus
  the windows that a program marks with one name.
population: readings of monitors, by device; pauses of the monitor are left out
source: power.draw of nvidia-smi, POWER and TOTEC of DCGM, the log of Zeus' monitor
caveat: >-
  Of the board, and neither of the host nor of its cooling. What the monitor watched before and after the program is in it. Some devices
  measure in a part of the time alone.
empty: the monitor read no power, or no times
columns:
  - {name: device, title: 'Device', unit: text}
  - {name: state, title: 'State', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: power, title: 'Power', unit: W}
  - {name: energy, title: 'Energy', unit: J}
  - {name: doubt, title: 'Doubt', unit: J}
  - {name: share, title: 'Of the energy', unit: ratio}
  - {name: readings, title: 'Readings', unit: count}
  - {name: tool, title: 'Read by', unit: text}
---*/
WITH drawn AS (
    SELECT witness, device, if(is_active, 1, if(is_active IS NULL, 3, 2)) AS place, sum(seconds) AS seconds, sum(energy) AS energy,
        sum(doubt) AS doubt, count(*) AS readings
    FROM power_interval GROUP BY ALL
    UNION ALL
    SELECT witness, device, 4, (max("time") - min("time")) / 1e9, max(value) - min(value), NULL, count(*)
    FROM device_sample WHERE measure = 'energy' GROUP BY ALL HAVING max(value) > min(value)
    UNION ALL
    SELECT witness, device, 5, sum(value) FILTER (WHERE measure = 'window_time'), sum(value) FILTER (WHERE measure = 'window_energy'), NULL,
        count(*) FILTER (WHERE measure = 'window_energy')
    FROM device_sample WHERE measure LIKE 'window%' GROUP BY ALL
)
SELECT drawn.device, CASE place WHEN 1 THEN 'at work' WHEN 2 THEN 'idle' WHEN 3 THEN 'not told' WHEN 4 THEN 'all, by its counter'
        ELSE 'in windows of the program' END AS state,
    seconds AS "time", energy / nullif(seconds, 0) AS power, energy, doubt,
    energy / sum(energy) OVER (PARTITION BY drawn.witness, drawn.device, greatest(place, 3)) AS share, readings, witness.tool
FROM drawn JOIN witness ON witness.id = drawn.witness
ORDER BY drawn.device, drawn.witness, place

/*---
name: idle_energy_share
title: Energy without a kernel
unit: ratio
better: lower
definition: Energy of the time in which a device had no kernel, of all energy that the monitor saw it draw (device.energy).
population: readings of monitors, over all devices
source: power.draw and utilization.gpu of nvidia-smi
caveat: Of the time that the monitor watched, which may begin before the program and end after it.
empty: the monitor read no power, no times, or not when the device had a kernel
---*/
SELECT sum(energy) FILTER (WHERE NOT is_active) / sum(energy) AS value
FROM power_interval WHERE is_active IS NOT NULL
HAVING sum(energy) > 0 AND bool_or(is_active)

/*---
name: power
title: Power at work
unit: W
better: neither
definition: >-
  Mean power over readings in which the device had a kernel, from one second on after it began to: a reading is a mean of the last second.
  Where no work lasts for a second, pauses between kernels count, too. Without a share of time with a kernel, over all readings.
source: power.draw of nvidia-smi, POWER of DCGM
caveat: A monitor without times tells nothing of changes, so that all readings at work count.
empty: the monitor read no power, or saw no work of more than a second
---*/
SELECT avg(power) AS value, avg(power) - 2 * sqrt(sum(error * error)) / count(*) AS low,
    avg(power) + 2 * sqrt(sum(error * error)) / count(*) AS high, sum(n) AS n, 'two standard errors' AS interval
FROM settled_power WHERE coalesce(is_active, true)
HAVING count(*) > 0

/*---
name: power_limited_share
title: Time at the limit of power
unit: ratio
better: lower
definition: >-
  Share of the readings at work in which the driver gave power as the reason for a lower clock: its limit of power, or a brake from outside.
population: readings of nvidia-smi in which the device had a kernel, over all devices
source: clocks_event_reasons of nvidia-smi, bits 0x4 and 0x80 of NVML
caveat: The clock was lowered, not by how much. At its limit a device draws what it may, so that less work for the same result saves energy and time.
empty: the monitor read no reasons for clocks, or never at work
---*/
SELECT avg(if((CAST(own.value AS BIGINT) & 132) <> 0, 1.0, 0.0)) AS value, count(*) AS n
FROM device_sample AS own
JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
WHERE own.measure = 'throttle_reasons' AND busy.value > 0
HAVING count(*) > 0

/*---
name: step_energy
title: Energy of a step
unit: J
better: lower
definition: >-
  Power at work (device.power) of one device, times a step: as measured without the profiler (steps.unprofiled) where profile.toml tells
  it, else the typical step or iteration of the trace.
population: readings of monitors at work, of several devices the mean; complete iterations that are no warm-up, else steps
needs: [device_samples, gpu_trace]
source: readings of power, and the trace
caveat: >-
  Of the GPUs alone, and of one of several. The monitor may have watched another execution: valid where that did the same steps for seconds on
  end. Without a time from profile.toml the profiler may lengthen steps.
empty: the monitor read no power, saw no work of more than a second, or the trace has no iterations
---*/
SELECT power.value * step.typical AS value, power.low * step.typical AS low, power.high * step.typical AS high, power.n AS n,
    'two standard errors of the power' AS interval
FROM (
    SELECT avg(power) AS value, avg(power) - 2 * sqrt(sum(error * error)) / count(*) AS low,
        avg(power) + 2 * sqrt(sum(error * error)) / count(*) AS high, sum(n) AS n
    FROM settled_power WHERE coalesce(is_active, true)
) AS power
CROSS JOIN (SELECT coalesce((SELECT typical FROM host_step_time), length / 1e9) AS typical FROM iteration_length) AS step
WHERE power.value IS NOT NULL AND step.typical > 0

/*---
name: step_idle_energy
title: Energy of idle time in a step, at least
unit: J
better: lower
definition: >-
  Power of the device without a kernel, times what time.iteration_gpu_busy leaves of a step: that of device.step_energy.
population: readings of monitors without a kernel, of several devices the mean; complete iterations that are no warm-up, of a server of one kind
needs: [device_samples, gpu_trace]
source: readings of power, and the trace
caveat: A lower bound. Between kernels a device draws more than when it rests for seconds.
empty: the monitor read no power, saw no rest of more than a second, or the trace has no iterations
---*/
SELECT rest.power * iteration.idle AS value, rest.n AS n
FROM (SELECT avg(power) AS power, sum(n) AS n FROM settled_power WHERE NOT is_active) AS rest
CROSS JOIN (
    SELECT coalesce(step.typical - least(step.typical, median(own.gpu_busy) / 1e9), median(own.duration - own.gpu_busy) / 1e9) AS idle
    FROM usual_iterations AS own LEFT JOIN host_step_time AS step ON true GROUP BY step.typical
) AS iteration
WHERE rest.power IS NOT NULL AND iteration.idle IS NOT NULL
