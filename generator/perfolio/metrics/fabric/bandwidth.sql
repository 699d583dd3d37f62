/*---
title: Bandwidth of collectives by size
better: neither
definition: >-
  Of each test and size: time, bandwidth of the algorithm (bytes over time) and of the bus, the better of in place and out of place.
population: tests of nccl-tests and rccl-tests; the first 600 rows
needs: [collective_tests]
source: logs of nccl-tests and rccl-tests
caveat: Bus bandwidth is the algorithm's times a factor of the operation and the ranks, to be compared with what a link can carry.
columns:
  - {name: operation, title: 'Operation', unit: text}
  - {name: ranks, title: 'Ranks', unit: count}
  - {name: nodes, title: 'Hosts', unit: count}
  - {name: bytes, title: 'Size', unit: B}
  - {name: seconds, title: 'Time', unit: s}
  - {name: algorithm_bandwidth, title: 'Algorithm bandwidth', unit: B/s}
  - {name: bus_bandwidth, title: 'Bus bandwidth', unit: B/s}
---*/
SELECT test.operation, test.ranks, test.nodes, own.bytes, min(own.seconds) AS seconds, max(own.algorithm_bandwidth) AS algorithm_bandwidth,
    max(own.bus_bandwidth) AS bus_bandwidth
FROM collective_row AS own JOIN collective_block AS test ON test.witness = own.witness AND test.block = own.block
GROUP BY own.witness, own.block, test.operation, test.ranks, test.nodes, own.bytes
ORDER BY own.witness, own.block, own.bytes
LIMIT 600
