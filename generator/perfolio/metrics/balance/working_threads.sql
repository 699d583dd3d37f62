/*---
title: Work by thread
better: lower
definition: >-
  CPU cost of each thread without waiting, without the runtime of a GPU and without elapsed time that
  came late (see the metric cpu.late_share), largest first, with its share of all work. Of the
  work, what may be waiting that the profile charges to Python is beside it (see the metric cpu.python_waits).
population: >-
  CPU threads with at least 1 % of the work of their process's busiest one; the first 1,000
needs: [cpu_event, profiles]
source: names of libraries and functions, listed in the models is_waiting and is_gpu_runtime
caveat: >-
  Known by name only: waiting in a runtime that the list lacks counts as work, and so does lateness that
  samples do not show: work of elapsed time is an estimate. In the unit of the run's CPU event.
empty: no thread works
columns:
  - {name: label, title: 'Thread', unit: text}
  - {name: rank, title: 'Rank', unit: id}
  - {name: thread, title: 'Thread number', unit: id}
  - {name: work, title: 'Work', unit: "1"}
  - {name: python_waits, title: 'Waits charged to Python, at most', unit: "1"}
  - {name: cost, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share of work', unit: ratio}
---*/
SELECT threads.name AS label, threads.rank, threads.thread, threads.work, nullif(threads.waits, 0) AS python_waits,
    profile_total.value AS cost, threads.work / (SELECT sum(work) FROM work_cost) AS share
FROM thread_work AS threads
LEFT JOIN profile_total ON profile_total.profile = threads.profile AND profile_total.name = cpu_event_of()
WHERE threads.works
ORDER BY threads.work DESC, threads.profile
LIMIT 1000
