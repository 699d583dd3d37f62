/*---
name: recorded_operations
about: >-
  Operations of GPU streams as recorded; one that has no end is left out [ns].
---*/
SELECT trace.profile, CAST(trace."time" AS BIGINT) AS start, CAST(trace.duration AS BIGINT) AS duration,
    trace.suspect, coalesce(gpu_context.operation, 'other') AS operation, trace.context
FROM trace
JOIN profile ON profile."index" = trace.profile AND profile.kind = 'GPU stream'
LEFT JOIN gpu_context ON gpu_context.context = trace.context
WHERE trace.context <> 0 AND trace.duration IS NOT NULL

/*---
name: gpu_operation
about: >-
  Operations of GPU streams. A suspect one has the median duration of the others of its context, or of its kind
  where there are none.
when: FROM profile WHERE kind = 'GPU stream'
columns:
  profile: INTEGER; GPU stream, index in table profile [id]
  start: BIGINT; Begin since the epoch [ns]
  duration: BIGINT; Duration, repaired [ns]
  raw_duration: BIGINT; Duration as recorded [ns]
  repaired: BOOLEAN; Whether duration replaces the recorded one
  operation: VARCHAR; As in gpu_context [text]
  context: UINTEGER; Calling context [id]
  call: "BIGINT?; The call that launched it, id in table host_call; NULL where calls are not recorded [id]"
  bytes: "BIGINT?; What a copy or memset moved; NULL where it is not recorded for each [B]"
  blocks: "BIGINT?; Blocks of the launch of a kernel; NULL where it is not recorded for each [count]"
  pinned: "BOOLEAN?; Whether the side of the host of a copy is pinned memory; NULL where that is not recorded"
---*/
-- The trace is read again for each step: only durations of contexts with a suspect operation, and
-- of kinds where such a context has no other, are kept in memory.
WITH doubtful AS MATERIALIZED (SELECT DISTINCT context, operation FROM recorded_operations WHERE suspect),
of_context AS MATERIALIZED (
    SELECT recorded.context, median(recorded.duration) AS duration
    FROM recorded_operations AS recorded
    WHERE NOT recorded.suspect AND recorded.context IN (SELECT context FROM doubtful)
    GROUP BY recorded.context
),
of_kind AS MATERIALIZED (
    SELECT recorded.operation, median(recorded.duration) AS duration
    FROM recorded_operations AS recorded
    WHERE NOT recorded.suspect
        AND recorded.operation IN (SELECT operation FROM doubtful WHERE context NOT IN (SELECT context FROM of_context))
    GROUP BY recorded.operation
),
usual AS MATERIALIZED (
    SELECT doubtful.context, CAST(round(coalesce(of_context.duration, of_kind.duration)) AS BIGINT) AS duration
    FROM doubtful
    LEFT JOIN of_context ON of_context.context = doubtful.context
    LEFT JOIN of_kind ON of_kind.operation = doubtful.operation
)
SELECT recorded.profile, recorded.start,
    CASE WHEN recorded.suspect THEN coalesce(usual.duration, recorded.duration) ELSE recorded.duration END AS duration,
    recorded.duration AS raw_duration, recorded.suspect AND usual.duration IS NOT NULL AS repaired,
    recorded.operation, recorded.context, NULL AS call, NULL AS bytes, NULL AS blocks, NULL AS pinned
FROM recorded_operations AS recorded LEFT JOIN usual ON usual.context = recorded.context

/*---
name: traced_operations
about: >-
  Operations of the trace per calling context with a time, in a run that does not count all its kernels and
  copies. The tool gives the trace contexts of its own, without values: they belong to the one of the same
  launcher and name, and to none where several have these.
---*/
WITH traced AS (
    SELECT context, count(*) AS operations
    FROM gpu_operation WHERE NOT (total_of('kernel_launches') > 0 AND total_of('copy_count') > 0) GROUP BY context
),
place AS (
    SELECT gpu_context.context, gpu_context.launcher, context_name.name, traced.operations,
        gpu_context.context IN (
            SELECT context FROM cost WHERE scope = 'point' AND name = 'gpu_operation_time' AND value > 0
        ) AS timed
    FROM gpu_context
    JOIN context_name ON context_name.context = gpu_context.context
    LEFT JOIN traced ON traced.context = gpu_context.context
)
SELECT any_value(context) FILTER (WHERE timed) AS context, sum(operations) AS operations
FROM place WHERE timed OR operations > 0 GROUP BY launcher, name HAVING count(*) FILTER (WHERE timed) = 1 AND sum(operations) > 0
UNION ALL
SELECT context, operations
FROM place QUALIFY timed AND operations > 0 AND count(*) FILTER (WHERE timed) OVER (PARTITION BY launcher, name) > 1

/*---
name: copy_contexts
about: >-
  Calling contexts that copied, as measured: time, copies, bytes, and the direction where all bytes of the
  context have the same one, or, without bytes, where the tool names it. The tool keeps time and count per
  context, not per direction; a run that counts no copies has their number from the trace.
---*/
SELECT copied.context, copied."time", coalesce(copied.counted, traced.operations) AS copies, copied.bytes,
    CASE copied.directions
        WHEN 0 THEN coalesce(nullif(regexp_extract(gpu_context.operation, '^copy (\w+)$', 1), ''), 'unknown')
        WHEN 1 THEN copied.only_direction
        ELSE 'mixed'
    END AS direction
FROM (
    SELECT context,
        coalesce(sum(value) FILTER (WHERE name = 'copy_time'), 0) AS "time",
        nullif(sum(value) FILTER (WHERE name = 'copy_count'), 0) AS counted,
        sum(value) FILTER (WHERE name LIKE 'copy_bytes:%') AS bytes,
        count(*) FILTER (WHERE name LIKE 'copy_bytes:%' AND value > 0) AS directions,
        any_value(regexp_extract(name, ':(\w+)', 1)) FILTER (WHERE name LIKE 'copy_bytes:%' AND value > 0) AS only_direction
    FROM cost WHERE scope = 'point' AND regexp_matches(name, '^copy_(time|count|bytes:)') AND context <> 0 GROUP BY context
) AS copied
LEFT JOIN gpu_context ON gpu_context.context = copied.context
LEFT JOIN traced_operations AS traced
    ON traced.context = copied.context AND NOT total_of('copy_count') > 0
