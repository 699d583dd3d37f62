/*---
title: What other tools and the program say
better: neither
definition: >-
  Figures as the file says them, in base units: of DeepSpeed's flops profiler the summary, of a program's own JSON its times and rates. Each is of an
  execution of its own.
population: figures of these files; the first 100
needs: [told_figures]
source: DeepSpeed's flops profiler; flops_profile.json, computational_intensity.json and performance_summary.json of a course
caveat: Operations of a rank count its forward pass alone, and a training step is taken for three of them. The profiler's own hooks slow the program.
columns:
  - {name: figure, title: 'Figure', unit: text}
  - {name: told_by, title: 'Told by', unit: text}
  - {name: number, title: 'Number', unit: count}
  - {name: seconds, title: 'Time', unit: s}
  - {name: flop, title: 'Operations', unit: FLOP}
  - {name: rate, title: 'Rate', unit: FLOP/s}
  - {name: samples, title: 'Samples', unit: samples/s}
  - {name: bytes, title: 'Bytes', unit: B}
  - {name: bandwidth, title: 'Bandwidth', unit: B/s}
  - {name: intensity, title: 'Intensity', unit: FLOP/B}
---*/
SELECT replace(own.name, '_', ' ') AS figure, witness.tool || ', ' || witness.file AS told_by,
    if(own.unit IN ('count', 'samples'), own.value, NULL) AS number, if(own.unit = 's', own.value, NULL) AS seconds,
    if(own.unit = 'FLOP', own.value, NULL) AS flop, if(own.unit = 'FLOP/s', own.value, NULL) AS rate,
    if(own.unit = 'samples/s', own.value, NULL) AS samples, if(own.unit = 'B', own.value, NULL) AS bytes,
    if(own.unit = 'B/s', own.value, NULL) AS bandwidth, if(own.unit = 'FLOP/B', own.value, NULL) AS intensity
FROM told_figure AS own JOIN witness ON witness.id = own.witness
ORDER BY own.witness, own.name
LIMIT 100
