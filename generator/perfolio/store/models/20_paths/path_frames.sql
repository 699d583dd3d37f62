/*---
about: >-
  The frames of the calling paths of given frames, from the frame itself (step 0) outwards.
given: [targets]
---*/
WITH RECURSIVE frame AS MATERIALIZED (SELECT frame, caller, key, name, lexical_type, python FROM frame),
path AS (
    SELECT frame AS target, 0 AS step, * FROM frame WHERE frame IN (SELECT unnest(targets))
    UNION ALL
    SELECT path.target, path.step + 1, frame.* FROM path JOIN frame ON frame.frame = path.caller
)
FROM path
