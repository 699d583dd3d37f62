/*---
title: Decode steps by requests
better: neither
definition: >-
  Decode steps by how many requests get a token in them, and rows of the graph that they replay, the fewest of what operators take a part of.
  Time over requests is what a token costs the GPU.
population: complete decode steps that are no warm-up
needs: [serving, gpu_trace, iterations]
source: names of steps; sizes of what operators take a part of
empty: no decode step tells its requests
columns:
  - {name: requests, title: 'Requests', unit: count}
  - {name: rows, title: 'Rows of the graph', unit: count}
  - {name: steps, title: 'Steps', unit: count}
  - {name: median, title: 'Median step', unit: s}
  - {name: token, title: 'Time over requests', unit: s}
  - {name: gpu_busy, title: 'Median GPU busy', unit: s}
---*/
SELECT answers AS requests, "rows", count(*) AS steps, median(duration) / 1e9 AS median, median(duration) / answers / 1e9 AS token,
    median(gpu_busy) / 1e9 AS gpu_busy
FROM served_iterations WHERE kind = 'decode' AND answers > 0 GROUP BY answers, "rows" ORDER BY answers, "rows" LIMIT 300
