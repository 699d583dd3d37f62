/*---
title: CPU cost by thread
better: lower
definition: CPU cost of each measured thread, largest first, with its share of the run's total.
population: profiles with a CPU cost, context 0 at scope execution; the first 1,000
needs: [cpu_event, profiles]
source: events of the CPU
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events.
empty: no thread has a CPU cost
columns:
  - {name: profile, title: 'Profile', unit: id}
  - {name: label, title: 'Thread', unit: text}
  - {name: rank, title: 'Rank', unit: id}
  - {name: thread, title: 'Thread number', unit: id}
  - {name: time, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT profile."index" AS profile,
    concat_ws(' ', 'rank ' || profile.rank, coalesce('thread ' || profile.thread, 'profile ' || profile."index")) AS label,
    profile.rank, profile.thread, profile_total.value AS "time",
    profile_total.value / total_of(cpu_event_of()) AS share
FROM profile_total
JOIN profile ON profile."index" = profile_total.profile
WHERE profile_total.name = cpu_event_of() AND profile_total.value > 0
ORDER BY profile_total.value DESC, profile."index"
LIMIT 1000
