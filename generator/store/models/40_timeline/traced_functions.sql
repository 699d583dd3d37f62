/*---
about: >-
  Running time of CPU threads by function, from the trace: see functions_on_paths [ns].
---*/
FROM functions_on_paths((
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, CAST(sum(cpu_time.duration) AS DOUBLE) AS spent
        FROM cpu_time JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
        GROUP BY enclosing.frame
    )
))
