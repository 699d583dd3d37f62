/*---
title: Tests of collectives
better: neither
definition: >-
  Each test of a communication library: operation, ranks, hosts, the bus bandwidth at its largest size and the highest, both the better of in place
  and out of place, the mean that the tool prints, wrong values, and why a test failed.
population: tests of nccl-tests and rccl-tests
needs: [collective_tests]
source: logs of nccl-tests and rccl-tests; bus bandwidth is defined in its PERFORMANCE.md
caveat: The printed mean is over all sizes, small ones included, and is no peak. No mean of several operations means anything.
columns:
  - {name: operation, title: 'Operation', unit: text}
  - {name: ranks, title: 'Ranks', unit: count}
  - {name: nodes, title: 'Hosts', unit: count}
  - {name: device, title: 'Device', unit: text}
  - {name: largest, title: 'Largest size', unit: B}
  - {name: at_largest, title: 'Bus bandwidth at the largest', unit: B/s}
  - {name: highest, title: 'Highest bus bandwidth', unit: B/s}
  - {name: average, title: 'Mean as printed', unit: B/s}
  - {name: wrong, title: 'Wrong values', unit: count}
  - {name: problem, title: 'Failure', unit: text}
  - {name: tool, title: 'By', unit: text}
---*/
SELECT test.operation, test.ranks, test.nodes, test.device, max(own.bytes) AS largest,
    max(own.bus_bandwidth) FILTER (WHERE own.bytes = own.most) AS at_largest, max(own.bus_bandwidth) AS highest, test.average,
    sum(own.wrong) AS wrong, CASE WHEN count(own.bytes) = 0 THEN coalesce(test.problem, 'no rows') ELSE test.problem END AS problem,
    any_value(witness.tool) AS tool
FROM collective_block AS test
JOIN witness ON witness.id = test.witness
LEFT JOIN (SELECT *, max(bytes) OVER (PARTITION BY witness, block) AS most FROM collective_row) AS own
    ON own.witness = test.witness AND own.block = test.block
GROUP BY test.witness, test.block, test.operation, test.ranks, test.nodes, test.device, test.average, test.problem
ORDER BY test.witness, test.block
