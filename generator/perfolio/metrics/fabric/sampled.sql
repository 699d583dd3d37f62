/*---
title: Collectives that NCCL Inspector saw
better: neither
definition: >-
  Collectives of the run by operation, ranks and size: how many were written down, the fastest and the median time, and the bus bandwidth of the
  fastest.
population: collectives that NCCL Inspector wrote down, the latest of each of its intervals; the first 100 rows by time
needs: [collective_samples]
source: JSON lines of NCCL Inspector
caveat: It samples, so numbers and sums are not those of the run. A time holds what a rank waited for the others; the fastest waited least.
columns:
  - {name: operation, title: 'Operation', unit: text}
  - {name: ranks, title: 'Ranks', unit: count}
  - {name: nodes, title: 'Hosts', unit: count}
  - {name: bytes, title: 'Size', unit: B}
  - {name: number, title: 'Seen', unit: count}
  - {name: fastest, title: 'Fastest', unit: s}
  - {name: typical, title: 'Median', unit: s}
  - {name: bus_bandwidth, title: 'Bus bandwidth of the fastest', unit: B/s}
---*/
SELECT operation, ranks, nodes, bytes, count(*) AS number, min(seconds) AS fastest, median(seconds) AS typical, max(bus_bandwidth) AS bus_bandwidth
FROM collective_sample
GROUP BY ALL
ORDER BY sum(seconds) DESC, operation, ranks, bytes
LIMIT 100
