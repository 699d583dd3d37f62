/*---
title: Copies by size
better: higher
definition: >-
  Copies of each direction and kind of memory by their size, in powers of four: how many, their bytes and time, and the
  rate of all of them together.
population: copies of which the tool recorded the bytes, on all GPUs
needs: [operation_bytes]
source: bytes, begin and end of each copy
empty: no copy has bytes
columns:
  - {name: direction, title: 'Direction', unit: text}
  - {name: memory, title: 'Memory of the host', unit: text}
  - {name: least, title: 'From', unit: B}
  - {name: copies, title: 'Copies', unit: count}
  - {name: bytes, title: 'Bytes', unit: B}
  - {name: time, title: 'Time', unit: s}
  - {name: rate, title: 'Rate', unit: B/s}
---*/
SELECT replace(operation, 'copy ', '') AS direction, CASE WHEN pinned THEN 'pinned' WHEN NOT pinned THEN 'pageable' ELSE '' END AS memory,
    CASE WHEN bytes > 0 THEN 4 ** floor(log2(bytes) / 2) ELSE 0 END AS least, count(*) AS copies, sum(bytes) AS bytes,
    sum(duration) / 1e9 AS "time", sum(bytes) / nullif(sum(duration) / 1e9, 0) AS rate
FROM gpu_operation WHERE operation LIKE 'copy%' AND bytes IS NOT NULL
GROUP BY ALL ORDER BY direction, memory, least
