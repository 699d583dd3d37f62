/*---
about: >-
  Steps that the program marks on main threads (host_range of kind step), those that are typical: the first one of
  each thread is left out where there are three or more.
when: FROM host_range WHERE kind = 'step'
columns:
  profile: INTEGER; Thread [id]
  start: BIGINT; Begin since the epoch [ns]
  stop: BIGINT; End since the epoch [ns]
---*/
SELECT profile, start, start + duration AS stop
FROM host_range WHERE kind = 'step' AND profile IN (SELECT profile FROM main_threads)
QUALIFY count(*) OVER (PARTITION BY profile) < 3 OR row_number() OVER (PARTITION BY profile ORDER BY start, id) > 1
