/*---
about: >-
  Steps that the program marks (host_range of kind step) by process, those that overlap or meet as one stretch: from when to when,
  and how much of all of them lies before it (earlier) [ns].
---*/
SELECT process, start, stop, CAST(sum(stop - start) OVER (PARTITION BY process ORDER BY start) AS BIGINT) - (stop - start) AS earlier
FROM (
    SELECT process, min(start) AS start, max(stop) AS stop
    FROM (
        SELECT *, sum(CAST(fresh AS INTEGER)) OVER (PARTITION BY process ORDER BY start, stop ROWS UNBOUNDED PRECEDING) AS place
        FROM (
            SELECT thread.process, step.start, step.start + step.duration AS stop, coalesce(step.start > max(step.start + step.duration) OVER (
                    PARTITION BY thread.process ORDER BY step.start, step.duration ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ), true) AS fresh
            FROM host_range AS step JOIN process_thread AS thread ON thread.profile = step.profile WHERE step.kind = 'step'
        )
    )
    GROUP BY process, place
)
