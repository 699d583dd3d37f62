/*---
about: >-
  CPU cost of each rank that has any, in the unit of the run's CPU event (context 0 at scope execution of its
  profiles), and the threads that have it.
---*/
SELECT profile.rank, count(*) AS threads, sum(profile_total.value) AS cost
FROM profile_total JOIN profile ON profile."index" = profile_total.profile
WHERE profile_total.name = cpu_event_of() AND profile_total.value > 0 AND profile.rank IS NOT NULL
GROUP BY profile.rank
