/*---
name: thread_cost
about: >-
  CPU cost of each CPU thread that works.
when: value
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  work: >-
    DOUBLE; Cost without waiting, without a GPU's runtime and without what came late (late_cost.beyond), in the
    run's CPU event
  waits: >-
    DOUBLE; How much of that is waiting that the profile charges to functions of Python, at most: as much as the
    thread's samples wait unseen by its profile below a frame of Python or its caller (hidden_waits)
---*/
WITH spent AS (
    SELECT value.profile, value.context, value.value - least(coalesce(late.beyond, 0), value.value) AS work,
        CASE WHEN frame.module_path = python_module() THEN coalesce(below.spent, 0) + coalesce(beside.spent, 0) ELSE 0 END AS waits
    FROM value
    JOIN metric ON metric.id = value.metric
    JOIN frame ON frame.frame = value.context AND frame.role = 'working'
    LEFT JOIN late_cost AS late ON late.profile = value.profile AND late.frame = value.context
    LEFT JOIN hidden_waits AS below ON below.profile = value.profile AND below.caller = value.context
    LEFT JOIN hidden_waits AS beside ON beside.profile = value.profile AND beside.caller = frame.caller
    WHERE metric.measure = cpu_event_of() AND metric.scope = 'function'
)
SELECT spent.profile, fsum(spent.work) AS work,
    least(fsum(least(spent.work, spent.waits)), coalesce(any_value(seen.spent), 0)) AS waits
FROM spent
LEFT JOIN (SELECT profile, fsum(spent) AS spent FROM hidden_waits GROUP BY profile) AS seen ON seen.profile = spent.profile
GROUP BY spent.profile

/*---
name: thread_work
about: >-
  CPU cost of each CPU thread without waiting, without a GPU's runtime and without what came late
  (late_cost.beyond); a thread works that has at least 1 % of what the busiest thread of its process has. Of its
  work, waits may be waiting that the profile charges to Python, at most.
---*/
SELECT thread.profile, thread.process, thread.node, thread.rank, thread.thread, thread.name, thread.start, thread.stop, spent.work, spent.waits,
    coalesce(spent.work >= 0.01 * max(spent.work) OVER (PARTITION BY thread.process), false) AS works
FROM process_thread AS thread LEFT JOIN thread_cost AS spent ON spent.profile = thread.profile

/*---
name: thread_balance
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

/*---
name: alive
about: >-
  How many CPU threads of the run, and of each host (node; NULL for the run), were alive at once, each from its first
  trace point to its last one, how many of them work (thread_work), and for how long [ns]. One whose points are all at one
  moment was alive at that moment, for no time.
---*/
WITH event AS (
    SELECT node, start AS moment, 1 AS threads, CAST(works AS INTEGER) AS working, 0 AS instants, 0 AS working_instants
    FROM thread_work WHERE stop > start
    UNION ALL
    SELECT node, stop, -1, -CAST(works AS INTEGER), 0, 0 FROM thread_work WHERE stop > start
    UNION ALL
    SELECT node, start, 0, 0, 1, CAST(works AS INTEGER) FROM thread_work WHERE stop = start
),
summed AS (
    SELECT grouping(node) = 1 AS everywhere, node, moment, sum(threads) AS threads, sum(working) AS working,
        sum(instants) AS instants, sum(working_instants) AS working_instants
    FROM event GROUP BY GROUPING SETS ((node, moment), (moment))
),
level AS (
    SELECT everywhere, node, sum(threads) OVER line AS threads, sum(working) OVER line AS working, instants, working_instants,
        coalesce(lead(moment) OVER line - moment, 0) AS ns
    FROM summed WINDOW line AS (PARTITION BY everywhere, node ORDER BY moment)
)
SELECT everywhere, node, CAST(threads AS INTEGER) AS threads, CAST(working AS INTEGER) AS working, sum(ns) AS ns
FROM (
    SELECT everywhere, node, threads, working, ns FROM level WHERE ns > 0
    UNION ALL
    SELECT everywhere, node, threads + instants, working + working_instants, 0 FROM level WHERE instants > 0
)
GROUP BY ALL
