/*---
title: Calling contexts that copy
better: lower
definition: >-
  Call paths that copied, by bytes. The direction is mixed where one path copied in several; the
  mean size says whether a path makes many small copies. File and line are where the innermost
  frame of Python calls what copies, or without Python the innermost one that has a source file,
  with code of the program before installed code; a module stands where no source is known.
population: calling contexts at scope point; the first 30
needs: ["copy_bytes:H2D", copy_time]
source: measures copy_bytes
caveat: >-
  Means per calling context: sizes within one path can differ. The path is shortened.
empty: the profile records no copy
columns:
  - {name: path, title: 'Call path', unit: text}
  - {name: direction, title: 'Direction', unit: text}
  - {name: bytes, title: 'Bytes', unit: B}
  - {name: copies, title: 'Copies', unit: count}
  - {name: mean_bytes, title: 'Mean size', unit: B}
  - {name: time, title: 'Time', unit: s}
  - {name: bandwidth, title: 'Bandwidth', unit: B/s}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH top AS MATERIALIZED (
    SELECT * FROM copy_contexts
    ORDER BY bytes DESC NULLS LAST, "time" DESC, context
    LIMIT 30
)
SELECT coalesce(paths.path, 'a context that meta.db does not list') AS path, top.direction, top.bytes, top.copies,
    top.bytes / top.copies AS mean_bytes, top."time", top.bytes / nullif(top."time", 0) AS bandwidth,
    place.file, place.line, place.module
FROM top
LEFT JOIN call_paths((SELECT list(context) FROM top)) AS paths ON paths.frame = top.context
LEFT JOIN source_place AS place ON place.context = top.context
ORDER BY top.bytes DESC NULLS LAST, top."time" DESC, top.context
