/*---
about: >-
  Idle time of the GPU by function, of the part of the run that blame is of: see blame_of and functions_on_paths
  [ns].
---*/
FROM functions_on_paths((
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, sum(blame.duration) AS spent
        FROM blame_of('steady') AS blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
        GROUP BY enclosing.frame
    )
))
