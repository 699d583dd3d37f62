/*---
title: Small copies, at least
unit: count
better: lower
definition: >-
  Least number of copies of fewer than 34,000 bytes that each calling context's bytes and count
  allow: no more than bytes / 34,000 of its copies can be as large as that. 34 kB is where the
  fixed cost of a copy (1.4 µs) equals its time on the wire of a PCIe 4 link, as measured (24.3 GB/s).
  On a faster link that is a larger copy, so that more of them are small: at least these are. On a link that is
  known to be slower it is a smaller one, by the links' rates: 17 kB on PCIe 3.
population: calling contexts at scope point that copied, in any direction
needs: [copy_count, "copy_bytes:H2D", "copy_bytes:D2H", "copy_bytes:D2D"]
source: >-
  HPCToolkit's metrics GXCOPY; the cost of a copy as measured with page-locked memory on an A100
  (PCIe 4 x16)
caveat: >-
  With HPCToolkit a lower bound, as it keeps the mean size per calling context and no sizes, so how they are
  distributed is not known. Where the hardware is not known, the link is taken to be no slower than PCIe 4.
empty: the profile records no copy
---*/
WITH small AS (
    SELECT 34000 * least(coalesce(any_value(hardware.link_bandwidth), 31.5e9) / 31.5e9, 1) AS bytes
    FROM run JOIN hardware ON hardware.name = run.hardware
)
SELECT sum(greatest(0, ceil(copied.copies - copied.bytes / small.bytes))) AS value, count(*) AS n
FROM copy_contexts AS copied, small
WHERE copied.copies > 0
HAVING count(*) > 0
