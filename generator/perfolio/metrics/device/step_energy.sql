/*---
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
