/*---
title: Calling contexts of GPU operations
better: lower
definition: >-
  Call paths that launched GPU operations, by the time of what they launched. File and line are
  where the innermost frame of Python calls what launches, or without Python the innermost one
  that has a source file, with code of the program before installed code; a module stands where
  no source is known.
population: calling contexts at scope point; the first 30
needs: [gpu_operation_time]
source: measures of GPU operations, and traces for the number of operations where these count none
caveat: >-
  The path is shortened: five frames, or three of Python and two of native code.
empty: the profile records no GPU operation
columns:
  - {name: context, title: 'Context', unit: id}
  - {name: path, title: 'Call path', unit: text}
  - {name: operation, title: 'Operation', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: count, title: 'Count', unit: count}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH top AS MATERIALIZED (
    SELECT context,
        sum(value) FILTER (WHERE name = 'gpu_operation_time') AS "time",
        nullif(coalesce(sum(value) FILTER (WHERE name <> 'gpu_operation_time'), 0), 0) AS "count"
    FROM cost
    WHERE scope = 'point' AND context <> 0
        AND name IN ('gpu_operation_time', 'kernel_launches', 'copy_count', 'memset_count', 'synchronisation_count', 'allocation_count')
    GROUP BY context
    HAVING sum(value) FILTER (WHERE name = 'gpu_operation_time') > 0
    ORDER BY "time" DESC, context
    LIMIT 30
)
SELECT top.context, coalesce(paths.path, 'a context that meta.db does not list') AS path,
    CASE
        WHEN kernel.short LIKE 'unnamed kernels%' THEN kernel.short
        WHEN kernel.context IS NOT NULL THEN 'kernel ' || kernel.short
        WHEN copied.context IS NOT NULL THEN 'copy ' || copied.direction
        ELSE coalesce(short_name(context_name.name), 'unknown')
    END AS operation,
    top."time", top."time" / total_of('gpu_operation_time') AS share, coalesce(top."count", kernel.launches, copied.copies) AS "count",
    place.file, place.line, place.module
FROM top
LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = top.context
LEFT JOIN call_paths((
    SELECT list(enclosing.frame) FROM top JOIN enclosing_frame AS enclosing ON enclosing.context = top.context
)) AS paths ON paths.frame = enclosing.frame
LEFT JOIN kernel_context AS kernel ON kernel.context = top.context
LEFT JOIN copy_contexts AS copied ON copied.context = top.context
LEFT JOIN context_name ON context_name.context = top.context
LEFT JOIN source_place AS place ON place.context = top.context
ORDER BY top."time" DESC, top.context
