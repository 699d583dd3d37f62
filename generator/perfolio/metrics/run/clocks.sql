/*---
title: Clocks that are off
better: neither
definition: >-
  Clocks of GPUs against that of their host, and of hosts of ranks against that of the first rank, by what must hold: no operation
  begins before its launch, a wait returns after the work that it waits for, and a collective ends on no rank before the last one
  has come. Only clocks that break this by more than 20 µs. An offset that agrees with all of it is taken off all times of
  the run. Where none does, the clock drifts, and figures that compare its times with others are not measured.
population: operations with their launches, waits for a GPU, collectives that all ranks have equally many of; the first 100 clocks
needs: [gpu_trace]
source: begin and end of calls and operations; names of collectives
caveat: >-
  The least and the greatest offset are those with which all holds. Within them, an idle GPU is taken to begin 5 µs after a
  launch, and collectives to end together.
empty: all clocks agree, as far as they can be compared
columns:
  - {name: clock, title: 'Clock', unit: text}
  - {name: against, title: 'Against', unit: text}
  - {name: taken_off, title: 'Taken off', unit: s}
  - {name: least, title: 'Least', unit: s}
  - {name: greatest, title: 'Greatest', unit: s}
  - {name: facts, title: 'By', unit: count}
  - {name: outcome, title: 'Outcome', unit: text}
---*/
SELECT CASE WHEN gpu IS NULL THEN 'host of rank ' || coalesce(CAST(rank AS VARCHAR), '?')
        ELSE coalesce('rank ' || rank || ' ', '') || 'GPU' || if(count(gpu) OVER () > 1, ' context ' || gpu, '') END AS clock,
    if(gpu IS NULL, 'first rank', 'host') AS against,
    CASE WHEN is_constant THEN "offset" / 1e9 END AS taken_off, low / 1e9 AS least, high / 1e9 AS greatest, facts,
    if(is_constant, 'taken off', 'drifts') AS outcome
FROM clock ORDER BY is_constant, abs("offset") DESC, process, gpu
LIMIT 100
