/*---
about: >-
  The frames of the calling paths on which recurring_blame lies, from the frame itself (step 0) outwards, entry points left
  out, with the idle time at that frame (spent) and whether the function is one to name: none that waits, or that the GPU's
  runtime has to copy, set and free memory (gpu_wait). No path on which a thread waits for a GPU or for another thread:
  through functions that synchronise, copy or free memory, or within backward_waits [ns].
---*/
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS spent
    FROM recurring_blame AS blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context GROUP BY enclosing.frame
),
path AS MATERIALIZED (
    FROM path_frames((SELECT list(frame) FROM spent)) WHERE lexical_type <> 'entry'
),
told AS MATERIALIZED (
    SELECT key, gpu_wait(name) AS waits FROM (SELECT DISTINCT key, name FROM path) WHERE gpu_wait(name) IS NOT NULL
),
waiting AS (
    SELECT path.target FROM path JOIN told ON told.key = path.key WHERE told.waits IN ('synchronises', 'copies', 'frees')
    UNION
    SELECT frame FROM frame WHERE role = 'gpu wait' OR frame IN (FROM backward_waits)
)
SELECT path.target, path.key, path.frame, path.step, path.python, path.name, spent.spent,
    told.key IS NULL AND frame.role <> 'waiting' AS named
FROM path
JOIN spent ON spent.frame = path.target
JOIN frame ON frame.frame = path.frame
LEFT JOIN told ON told.key = path.key
WHERE path.target NOT IN (FROM waiting)
