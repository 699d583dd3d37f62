/*---
title: What the recording cannot carry
better: neither
definition: >-
  What of a recording of events cannot be as it says, or says less than it seems to: how many of how many, how much
  time, which figures that concerns, and what to do. Times are mended, and parts without kernels left out, before any
  figure is computed. Where voids is 1, no figure of the GPU is given.
population: all events that were recorded
needs: []
source: the table plausibility
empty: nothing of the recording is known to be implausible
columns:
  - {name: what, title: 'Key', unit: text}
  - {name: title, title: 'What', unit: text}
  - {name: number, title: 'How many', unit: count}
  - {name: whole, title: 'Of', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: says, title: 'What was found', unit: text}
  - {name: effect, title: 'Figures that it concerns', unit: text}
  - {name: advice, title: 'What to do', unit: text}
  - {name: voids, title: 'Voids figures of the GPU', unit: count}
---*/
SELECT what, title, number, whole, "time" / 1e9 AS "time", says, effect, advice, CAST(voids AS INTEGER) AS voids
FROM plausibility ORDER BY voids DESC, what
