/*---
title: Waits that came late
unit: ratio
better: lower
definition: >-
  Share of the elapsed time within waiting code, of threads that work, by which samples came late, at least: what
  they stand for beyond one punctual distance each. A thread that spins is interrupted at once, and
  one that sleeps is woken; a sample that comes late ends a time in which the thread was due and had no core.
population: >-
  call frames that wait of CPU threads that work (at least 1 % of the work of their rank's busiest one), scope function;
  threads with at least 20 samples there. The punctual distance of a thread is the one that one in twenty of them is below
needs: ["REALTIME (sec)", cpu_event, profiles, cpu_trace]
source: >-
  HPCToolkit's metric REALTIME (sec), which leaves the time of the profiler's own handler out, and its traces; the
  store's macro sampled_cost, less 1.96 standard errors of the mean distance of samples that time is charged to, which takes
  them as independent
caveat: >-
  A kernel that delivers signals late to threads that run looks the same: then involuntary context switches are few.
  A thread that loses its core and has it again before a sample is due is not seen, nor is lateness
  that is charged to an inlined function.
empty: the profile has CPU time, or no thread that works has 20 samples in waiting code
---*/
WITH lateness AS (
    SELECT sum(cost.spent) / sum(cost.samples * cost.punctual) AS times,
        1.96 * sqrt(sum(cost.samples * cost.variance)) / sum(cost.samples * cost.punctual) AS half
    FROM sampled_cost($run) AS cost
    WHERE cost.role = 'waiting' AND cost.punctual > 0 AND cost.profile IN (SELECT profile FROM thread_work($run) WHERE works)
)
SELECT 1 - 1 / greatest(times - half, 1) AS value
FROM lateness
WHERE times > 0
