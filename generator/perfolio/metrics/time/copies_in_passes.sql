/*---
title: Copies within forward and backward passes
better: lower
definition: >-
  Calling contexts in the forward or backward pass that copy between host and GPU in at least every second steady
  iteration, and how many copies an iteration has of them. A capture of CUDA graphs does not permit copies that the host waits
  for. The place is where the innermost frame of Python calls what copies, or without Python the innermost one that
  has a source file; the call path where none has.
population: >-
  complete iterations that are no warm-up; operations of all streams. The first 20, by their number
needs: [gpu_trace, iterations]
source: traces; names of functions of PyTorch, TensorFlow and their companions
caveat: >-
  Whether the host waits for a copy is not recorded: it does where memory is pageable. The pass is told by names of functions
  on the calling path.
empty: no calling context in a forward or backward pass copies in at least every second iteration
columns:
  - {name: path, title: 'Call path', unit: text}
  - {name: phase, title: 'Pass', unit: text}
  - {name: operation, title: 'Operation', unit: text}
  - {name: place, title: 'Place', unit: text}
  - {name: copies, title: 'Copies per iteration', unit: '1'}
  - {name: together, title: 'Those of all contexts', unit: '1'}
---*/
WITH steady AS MATERIALIZED (FROM steady_bounds),
usual AS MATERIALIZED (
    SELECT enclosing.frame, min(gpu_context.launcher) AS launcher, any_value(frame.phase) AS phase, gpu_context.operation,
        count(*) / any_value(steady.iterations) / gpus() AS copies
    FROM gpu_operation AS ran
    JOIN steady ON ran.start >= steady.start AND ran.start < steady.stop
    JOIN gpu_context ON gpu_context.context = ran.context
    JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
    JOIN frame ON frame.frame = enclosing.frame AND frame.phase IN ('forward', 'backward')
    WHERE gpu_context.operation IN ('copy H2D', 'copy D2H')
    GROUP BY enclosing.frame, gpu_context.operation
    HAVING count(*) >= 0.5 * any_value(steady.iterations) * gpus()
)
SELECT paths.path, usual.phase, usual.operation, coalesce(regexp_extract(place.file, '[^/]*$') || ':' || place.line, paths.path) AS place,
    usual.copies, sum(usual.copies) OVER () AS together
FROM usual
LEFT JOIN call_paths((SELECT list(frame) FROM usual)) AS paths ON paths.frame = usual.frame
LEFT JOIN source_place AS place ON place.context = usual.launcher
ORDER BY usual.phase = 'backward', usual.copies DESC, usual.frame, usual.operation
LIMIT 20
