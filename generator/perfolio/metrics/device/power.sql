/*---
title: Power while busy
unit: W
better: neither
definition: >-
  Mean power of the devices over readings in which they were busy for more than half of the time; of readings without such a share, over all. The
  mean over devices.
population: readings of monitors
needs: [device_samples]
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
