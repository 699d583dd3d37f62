/*---
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
