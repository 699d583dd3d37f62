/*---
defaults:
  unit: B
  better: lower
  population: >-
    all calling contexts of all entry points and profiles: context 0 at scope execution
---*/

/*---
name: bandwidth
title: Host-link bandwidth
unit: B/s
better: higher
definition: Bytes copied between host and device, in both directions, over the time of those copies.
population: >-
  calling contexts at scope point whose copies all have the named direction; the tool keeps time
  and count per context, not per direction, so a context that mixes directions is left out of
  bytes and time alike
needs: ["copy_bytes:H2D", "copy_bytes:D2H", copy_time]
source: (copy_bytes:H2D + copy_bytes:D2H) / copy_time
caveat: >-
  A mean over all sizes: tiny copies are bound by latency, large ones by the link. Copies that
  overlap count each in full. Whether memory was pinned is not recorded.
empty: nothing was copied between host and device, or every calling context that did also copied otherwise
---*/
SELECT sum(bytes) / nullif(sum("time"), 0) AS value
FROM copy_contexts
WHERE direction IN ('H2D', 'D2H')

/*---
name: bandwidth_h2d
title: Host-to-device bandwidth
unit: B/s
better: higher
definition: Bytes copied from host to device over the time of those copies.
population: >-
  calling contexts at scope point whose copies all have the named direction; the tool keeps time
  and count per context, not per direction, so a context that mixes directions is left out of
  bytes and time alike
needs: ["copy_bytes:H2D", copy_time]
source: copy_bytes:H2D / copy_time
caveat: >-
  A mean over all sizes: tiny copies are bound by latency, large ones by the link.
empty: nothing was copied from host to device, or every calling context that did also copied otherwise
---*/
SELECT sum(bytes) / nullif(sum("time"), 0) AS value
FROM copy_contexts
WHERE direction = 'H2D'

/*---
name: bytes
title: Bytes copied
definition: Bytes that explicit copies moved, all directions, arrays and peers included.
needs: ["copy_bytes:H2D", "copy_bytes:D2H", "copy_bytes:D2D"]
source: sum of measures copy_bytes
---*/
SELECT coalesce(sum(value), 0) AS value
FROM total
WHERE name LIKE 'copy_bytes:%'

/*---
name: bytes_d2d
title: Bytes within devices
definition: Bytes that explicit copies moved within the memory of a device; from one device to another is transfer.bytes_p2p.
needs: ["copy_bytes:D2D"]
source: measure copy_bytes:D2D
---*/
SELECT total_of('copy_bytes:D2D') AS value

/*---
name: bytes_d2h
title: Bytes device to host
definition: Bytes that explicit copies moved from device to host.
needs: ["copy_bytes:D2H"]
source: measure copy_bytes:D2H
---*/
SELECT total_of('copy_bytes:D2H') AS value

/*---
name: bytes_h2d
title: Bytes host to device
definition: Bytes that explicit copies moved from host to device.
needs: ["copy_bytes:H2D"]
source: measure copy_bytes:H2D
---*/
SELECT total_of('copy_bytes:H2D') AS value

/*---
name: bytes_p2p
title: Bytes from device to device
definition: Bytes that explicit copies moved from one device to another.
needs: ["copy_bytes:P2P"]
source: measure copy_bytes:P2P
---*/
SELECT total_of('copy_bytes:P2P') AS value

/*---
name: copies
title: Copies
unit: count
definition: Number of explicit copies, all directions.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution; where the
  profile counts nothing, the GPU operations of the trace
needs: [copies]
source: measure copy_count, or its traces
empty: >-
  the profile has copy time and counts no copies: the count was not recorded
---*/
SELECT gpu_count('copy_count', 'copy_time', 'copy%') AS value

/*---
name: link_efficiency
title: Link efficiency
unit: ratio
better: higher
definition: >-
  Host-link bandwidth over the link's rate in one direction. Each copy uses one direction, so
  the rate of one direction is the ceiling.
population: >-
  calling contexts at scope point whose copies all have the named direction; the tool keeps time
  and count per context, not per direction, so a context that mixes directions is left out of
  bytes and time alike
needs: ["copy_bytes:H2D", "copy_bytes:D2H", copy_time, hardware.link_bandwidth]
source: transfer.bandwidth / hardware.link_bandwidth
caveat: A mean over all sizes; a run of tiny copies cannot reach the link's rate.
empty: no calling context copied between host and device only
---*/
SELECT sum(copied.bytes) / nullif(sum(copied."time"), 0) / any_value(hardware.link_bandwidth) AS value
FROM copy_contexts AS copied
CROSS JOIN run
JOIN hardware ON hardware.name = run.hardware
WHERE copied.direction IN ('H2D', 'D2H')

/*---
name: pageable_share
title: Copies from or to pageable memory, share of copy time
unit: ratio
definition: Time of copies between host and device whose side of the host is pageable memory, over the time of all of them.
population: copies between host and device of which the tool recorded the kind of memory, on all GPUs
needs: [pinned]
source: the kind of memory of each copy
empty: no copy between host and device has a kind of memory
---*/
SELECT coalesce(sum(duration) FILTER (WHERE NOT pinned), 0) / nullif(sum(duration), 0) AS value, count(*) AS n
FROM gpu_operation WHERE pinned IS NOT NULL HAVING sum(duration) > 0

/*---
name: small_copies
title: Small copies, at least
unit: count
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

/*---
name: small_copies_exactly
title: Small copies
unit: count
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
