/*---
title: Scaling over runs
better: neither
definition: >-
  Of runs on several numbers of GPUs: the rate of all, the rate of each GPU, the speed-up over the smallest run, and the efficiency: the rate of
  each GPU over that in the smallest run.
population: rows of tables of runs; the first 200
needs: [throughput]
source: the tables themselves
caveat: Where the batch grows with the GPUs this is weak scaling, else strong; the table does not say which.
columns:
  - {name: series, title: 'Series', unit: text}
  - {name: gpus, title: 'GPUs', unit: count}
  - {name: tokens, title: 'Tokens', unit: tokens/s}
  - {name: samples, title: 'Samples', unit: samples/s}
  - {name: speedup, title: 'Speed-up', unit: x}
  - {name: ideal, title: 'Ideal', unit: x}
  - {name: efficiency, title: 'Efficiency', unit: ratio}
---*/
SELECT if(own.series = '', witness.file, own.series) AS series, own.gpus, if(own.unit = 'tokens/s', own.rate, NULL) AS tokens,
    if(own.unit = 'samples/s', own.rate, NULL) AS samples, own.speedup, own.gpus / own.first_gpus AS ideal, own.efficiency
FROM scaling_row AS own JOIN witness ON witness.id = own.witness
ORDER BY series, own.witness, own.unit, own.gpus
LIMIT 200
