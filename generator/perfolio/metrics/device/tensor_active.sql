/*---
title: Tensor cores, mean while busy
unit: ratio
better: higher
definition: >-
  Share of cycles in which the tensor cores were at work, by a monitor: the mean of its readings in which the device was busy (more than
  half of the time), over all devices.
population: readings of monitors while the device was busy
needs: [device_samples]
source: field PIPE_TENSOR_ACTIVE (1004) of DCGM
caveat: Monitors average over periods of their own, of a tenth of a second to a second.
empty: no monitor read this field, or no reading was of a busy device
---*/
SELECT avg(own.value) AS value, count(*) AS n
FROM device_sample AS own
JOIN device_busy AS busy ON busy.witness = own.witness AND busy.device = own.device AND busy.tick = own.tick
WHERE own.measure = 'tensor_active' AND busy.value > 0.5
HAVING count(*) > 0
