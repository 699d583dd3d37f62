/*---
title: Bytes copied
unit: B
better: lower
definition: Bytes that explicit copies moved, all directions, arrays and peers included.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: ["copy_bytes:H2D", "copy_bytes:D2H", "copy_bytes:D2D"]
source: sum of measures copy_bytes
---*/
SELECT coalesce(sum(value), 0) AS value
FROM total
WHERE name LIKE 'copy_bytes:%'
