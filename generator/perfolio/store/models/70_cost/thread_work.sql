/*---
about: >-
  CPU cost of each CPU thread without waiting, without a GPU's runtime and without what came late
  (late_cost.beyond); a thread works that has at least 1 % of what the busiest thread of its process has. Of its
  work, waits may be waiting that the profile charges to Python, at most.
---*/
SELECT thread.profile, thread.process, thread.node, thread.rank, thread.thread, thread.name, thread.start, thread.stop, spent.work, spent.waits,
    coalesce(spent.work >= 0.01 * max(spent.work) OVER (PARTITION BY thread.process), false) AS works
FROM process_thread AS thread LEFT JOIN thread_cost AS spent ON spent.profile = thread.profile
