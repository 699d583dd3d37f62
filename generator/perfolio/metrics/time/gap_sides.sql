/*---
title: Operations around the longest gap of an iteration
better: neither
definition: >-
  The operation that most often comes last before the longest gap of a steady iteration, and the
  one that most often comes first after it, the phase of the program that launched it, and for how
  many of these gaps that holds. File and line are of the launch.
population: >-
  the longest gap of each GPU in each complete iteration that is no warm-up, by its begin
needs: [gpu_trace, iterations]
source: traces
caveat: >-
  What the host does between them is not said: only a CPU trace tells.
empty: the GPU is never idle in a steady iteration
columns:
  - {name: side, title: 'Side', unit: text}
  - {name: operation, title: 'Operation', unit: text}
  - {name: phase, title: 'Phase', unit: text}
  - {name: share, title: 'Share of these gaps', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH gap AS MATERIALIZED (
    SELECT row_number() OVER () AS number, gpu_gap.device, gpu_gap.start, gpu_gap.stop
    FROM steady_iterations AS steady
    JOIN gpu_gap ON gpu_gap.start >= steady.start AND gpu_gap.start < steady.start + steady.duration
    QUALIFY row_number() OVER (PARTITION BY steady.iteration, gpu_gap.device ORDER BY gpu_gap.duration DESC, gpu_gap.start) = 1
),
ran AS (
    SELECT stream.device, operation.context, operation.start, operation.start + operation.duration AS stop
    FROM gpu_operation AS operation
    JOIN gpu_stream AS stream ON stream.profile = operation.profile
),
side AS MATERIALIZED (
    SELECT 1 AS position, gap.number, min(ran.context) AS context
    FROM gap JOIN ran ON ran.device = gap.device AND ran.stop = gap.start GROUP BY gap.number
    UNION ALL
    SELECT 2, gap.number, min(ran.context)
    FROM gap JOIN ran ON ran.device = gap.device AND ran.start = gap.stop GROUP BY gap.number
),
usual AS MATERIALIZED (
    SELECT position, context, count(*) / (SELECT count(*) FROM gap) AS share
    FROM side
    GROUP BY position, context
    QUALIFY row_number() OVER (PARTITION BY position ORDER BY count(*) DESC, context) = 1
),
launch AS MATERIALIZED (
    SELECT usual.context, gpu_context.words, enclosing.frame
    FROM usual
    JOIN gpu_context ON gpu_context.context = usual.context
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
)
SELECT CASE usual.position WHEN 1 THEN 'before' ELSE 'after' END AS side,
    CASE launch.words
        WHEN 'copy H2D' THEN 'copy host to device'
        WHEN 'copy D2H' THEN 'copy device to host'
        WHEN 'copy D2D' THEN 'copy device to device'
        WHEN 'copy P2P' THEN 'copy from GPU to GPU'
        WHEN 'migration' THEN 'migration of pages'
        ELSE launch.words
    END AS operation,
    CASE WHEN phase.phase NOT IN ('initialisation', 'importing') THEN phase.phase END AS phase,
    usual.share, place.file, place.line, place.module
FROM usual
LEFT JOIN launch ON launch.context = usual.context
LEFT JOIN frame AS phase ON phase.frame = launch.frame
LEFT JOIN source_place AS place ON place.context = usual.context
ORDER BY usual.position
