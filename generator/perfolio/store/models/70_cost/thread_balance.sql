/*---
about: >-
  Largest work of a thread that works over their mean, by process (see thread_work): of processes with two such
  threads, and with as many samples of work per thread that chance alone does not give 1.25, where a trace tells
  them. Ends are those of which waits charged to Python (thread_cost.waits) are some: each thread may have all
  of them, or none; NULL without any.
---*/
-- Where threads may have less work by their waits, the largest over the mean is least where no thread has more than the one that
-- has most without any, and largest where one thread has none and all others have all of theirs.
-- Of T threads with m samples each and the same work, the busiest seems to have 1 + sqrt(2 ln T / m) times the mean, by
-- chance (the expected maximum of normal variables: Boucheron, Lugosi, Massart, Concentration Inequalities, 2013, 2.5).
WITH taken AS (
    SELECT profile, equal_samples(total, squares) AS samples FROM thread_samples
)
SELECT thread.process, max(thread.work) / avg(thread.work) AS imbalance, count(*) AS threads,
    CASE WHEN any_value(total.waits) > 0 THEN least(any_value(total.least) * count(*) / nullif(sum(least(thread.work,
        total.least)), 0), max(thread.work) / avg(thread.work)) END AS imbalance_low,
    CASE WHEN any_value(total.waits) > 0 THEN greatest(count(*) * max(thread.work / nullif(total.rest + thread.waits, 0)),
        max(thread.work) / avg(thread.work)) END AS imbalance_high
FROM thread_work AS thread
JOIN (
    SELECT process, sum(waits) AS waits, sum(work - waits) AS rest, max(work - waits) AS least
    FROM thread_work WHERE works GROUP BY process
) AS total ON total.process = thread.process
LEFT JOIN profile_total AS spent ON spent.profile = thread.profile AND spent.name = cpu_event_of()
LEFT JOIN taken ON taken.profile = thread.profile
WHERE thread.works
GROUP BY thread.process
HAVING count(*) > 1 AND coalesce(avg(taken.samples * least(thread.work / spent.value, 1)) >= 2 * ln(count(*)) / (0.25 * 0.25), true)
