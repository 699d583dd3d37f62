/*---
about: >-
  CPU cost of each CPU thread without waiting, without a GPU's runtime and without what came late
  (late_cost.beyond); a thread works that has at least 1 % of what the busiest thread of its rank has. Of its
  work, waits may be waiting that the profile charges to Python, at most.
---*/
SELECT profile."index" AS profile, profile.rank, profile.thread, spent.work, spent.waits,
    coalesce(spent.work >= 0.01 * max(spent.work) OVER (PARTITION BY profile.rank), false) AS works
FROM profile LEFT JOIN thread_cost AS spent ON spent.profile = profile."index" WHERE profile.kind = 'CPU thread'
