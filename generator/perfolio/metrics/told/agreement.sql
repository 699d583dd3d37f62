/*---
title: Who says what
better: neither
definition: >-
  Quantities that more than one witness tells: the value by each, and its ratio to the first, which is the profile's own where it has one. Ratios
  far from 1 are contradictions.
population: quantities with at least two witnesses
needs: [witnesses]
source: the profile, profile.toml, and files of other tools
caveat: >-
  Each file is of an execution of its own. Memory by a monitor has that of all processes and libraries in it. A snapshot counts what the
  program asked for.
empty: no quantity is told by two witnesses
columns:
  - {name: fact, title: 'Quantity', unit: text}
  - {name: told_by, title: 'Told by', unit: text}
  - {name: seconds, title: 'Time', unit: s}
  - {name: samples, title: 'Rate', unit: samples/s}
  - {name: batch, title: 'Batch', unit: samples}
  - {name: bytes, title: 'Memory', unit: B}
  - {name: flop, title: 'Operations', unit: FLOP}
  - {name: ratio, title: 'Of the first', unit: x}
---*/
WITH several AS (
    SELECT *, count(*) OVER (PARTITION BY fact) AS witnesses, first_value(value) OVER (PARTITION BY fact ORDER BY trust, source) AS first
    FROM told_fact
)
SELECT fact, source AS told_by, if(unit = 's', value, NULL) AS seconds, if(unit = 'samples/s', value, NULL) AS samples,
    if(unit = 'samples', value, NULL) AS batch, if(unit = 'B', value, NULL) AS bytes, if(unit = 'FLOP', value, NULL) AS flop,
    value / first AS ratio
FROM several WHERE witnesses > 1
ORDER BY fact, trust, told_by
