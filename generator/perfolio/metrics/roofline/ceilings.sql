/*---
title: Ceilings of the device
better: neither
definition: >-
  Dense peak rates of memory and of the units of each precision by the hardware table, what profile.toml says was measured on this
  device, and the ridge point: the arithmetic intensity from which on a kernel of this precision is bound by arithmetic.
population: the device of the run
needs: [hardware]
source: table hardware, and [ceiling] of profile.toml
caveat: A nominal peak bounds, and no program reaches it. A measured one is of one program, at the clocks that its power left.
columns:
  - {name: ceiling, title: 'Ceiling', unit: text}
  - {name: unit, title: 'Unit', unit: text}
  - {name: bandwidth, title: 'Nominal bandwidth', unit: B/s}
  - {name: peak, title: 'Nominal rate', unit: FLOP/s}
  - {name: measured_bandwidth, title: 'Measured bandwidth', unit: B/s}
  - {name: measured, title: 'Measured rate', unit: FLOP/s}
  - {name: reached, title: 'Measured of nominal', unit: ratio}
  - {name: ridge, title: 'Ridge point', unit: FLOP/B}
---*/
SELECT own.name AS ceiling, own.unit, if(own.unit = 'memory', own.nominal, NULL) AS bandwidth, if(own.unit <> 'memory', own.nominal, NULL) AS peak,
    if(own.unit = 'memory', own.measured, NULL) AS measured_bandwidth, if(own.unit <> 'memory', own.measured, NULL) AS measured,
    own.measured / own.nominal AS reached, if(own.unit <> 'memory', own.rate / memory.rate, NULL) AS ridge
FROM roof_ceiling AS own
LEFT JOIN (FROM roof_ceiling WHERE unit = 'memory') AS memory ON true
ORDER BY own.unit = 'memory' DESC, own.unit = 'vector' DESC, own.rate
