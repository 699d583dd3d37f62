/*---
title: Figures that their own file contradicts
better: neither
definition: >-
  Figures of another tool or of the program that its file contradicts, or that it names wrongly: what it says, what its content gives
  instead, and why.
population: figures of DeepSpeed's flops profiler and of a course's scripts
needs: [told_figures]
source: the files themselves, and the ridge point of the peaks that they give
empty: none of them is contradicted by its own file
columns:
  - {name: figure, title: 'Figure', unit: text}
  - {name: said, title: 'Said', unit: text}
  - {name: held, title: 'Instead', unit: text}
  - {name: why, title: 'Why', unit: text}
  - {name: told_by, title: 'Told by', unit: text}
---*/
SELECT replace(own.figure, '_', ' ') AS figure, own.said, own.held, own."text" AS why, witness.file AS told_by
FROM told_doubt AS own JOIN witness ON witness.id = own.witness
ORDER BY own.witness, own.figure
