/*---
title: Link efficiency within reach
unit: ratio
better: higher
definition: >-
  Bytes of copies between host and device over the time that they take from page-locked memory, as a share of the
  link's rate in one direction. Copies of a calling context then take 1.4 µs each and their bytes at 77 % of that rate, or
  the time that they take now where that is less. Contexts none of whose copies runs in iterations
  (transfer.outside_iterations) keep their time: pinning memory for a copy that is made once costs more than the copy.
  Without iterations all contexts count.
population: >-
  calling contexts at scope point whose copies all go from the host to the device or all from the device to the host, as
  for transfer.link_efficiency
needs: ["copy_bytes:H2D", "copy_bytes:D2H", copy_time, hardware.link_bandwidth]
source: >-
  transfer.link_efficiency with that time; the cost and the rate as measured with page-locked memory on an A100
  (PCIe 4 x16, 24.3 of 31.5 GB/s)
caveat: >-
  What one machine reached and no bound. Copies that are joined need the fixed cost once, which is not in it. A context
  whose number of copies is not known keeps its time.
empty: no calling context copied between host and device only
---*/
SELECT sum(copied.bytes) / nullif(sum(CASE WHEN once.context IS NULL
        THEN least(copied."time", 1.4e-6 * copied.copies + copied.bytes / (0.77 * hardware.link_bandwidth))
        ELSE copied."time" END), 0) / any_value(hardware.link_bandwidth) AS value
FROM copy_contexts AS copied
CROSS JOIN run
JOIN hardware ON hardware.name = run.hardware
LEFT JOIN contexts_outside_iterations AS once ON once.context = copied.context
WHERE copied.direction IN ('H2D', 'D2H')
