/*---
about: >-
  Operations of a typical step of all processes by the sizes of arguments: the sum of the medians of each (step_operations) [FLOP], and the
  time that they take at the dense peaks of their types on all GPUs that take part [s]. No row without any.
when: FROM host_range WHERE shapes IS NOT NULL
---*/
SELECT sum(needed) AS needed, sum(flop) AS flop, sum(done) AS done, sum(needed_least) / greatest(gpus(), 1) AS needed_least,
    sum(least) / greatest(gpus(), 1) AS least
FROM (
    SELECT profile, median(needed) AS needed, median(flop) AS flop, median(done) AS done, median(needed_least) AS needed_least,
        median(least) AS least
    FROM step_operations GROUP BY profile
)
HAVING count(*) > 0
