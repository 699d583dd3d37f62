/*---
title: Small copies
unit: count
better: lower
definition: >-
  Copies of fewer than 34,000 bytes. That is where the fixed cost of a copy (1.4 µs) equals its time on the wire of a
  PCIe 4 link, as measured (24.3 GB/s); on a link that is known to be slower, fewer bytes by the links' rates.
population: copies in any direction of which the tool recorded the size
needs: [operation_bytes]
source: the size of each copy; the cost of a copy as measured with page-locked memory on an A100 (PCIe 4 x16)
empty: no copy has a size
---*/
SELECT count(*) FILTER (WHERE copied.bytes < 34000 * least(coalesce(link.rate, 31.5e9) / 31.5e9, 1)) AS value, count(*) AS n
FROM gpu_operation AS copied
LEFT JOIN (SELECT hardware.link_bandwidth AS rate FROM run JOIN hardware ON hardware.name = run.hardware) AS link ON true
WHERE copied.operation LIKE 'copy%' AND copied.bytes IS NOT NULL
HAVING count(*) > 0
