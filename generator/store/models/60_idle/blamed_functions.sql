/*---
about: >-
  Idle time of the GPU by function, see recurring_blame and functions_on_paths
  [ns].
---*/
FROM functions_on_paths((
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, sum(blame.duration) AS spent
        FROM recurring_blame AS blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
        GROUP BY enclosing.frame
    )
))
