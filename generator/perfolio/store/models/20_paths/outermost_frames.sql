/*---
about: >-
  Frames of the given keys (120 at most) that lie in no other frame of the same key: inclusive cost summed over
  them counts recursion once.
given: [keys]
---*/
WITH RECURSIVE bit AS (
    SELECT key, CAST(1 AS HUGEINT) << CAST(position - 1 AS INTEGER) AS mask
    FROM (SELECT unnest(keys) AS key, generate_subscripts(keys, 1) AS position)
),
frame AS MATERIALIZED (
    SELECT frames.frame, frames.caller, frames.key, coalesce(bit.mask, 0) AS mask
    FROM frame AS frames LEFT JOIN bit ON bit.key = frames.key
),
walk AS (
    SELECT frame, key, mask, mask AS seen, mask <> 0 AS outermost FROM frame WHERE caller = 0
    UNION ALL
    SELECT frame.frame, frame.key, frame.mask, walk.seen | frame.mask,
        frame.mask <> 0 AND (walk.seen & frame.mask) = 0
    FROM walk JOIN frame ON frame.caller = walk.frame
)
SELECT frame, key FROM walk WHERE outermost
