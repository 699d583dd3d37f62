/*---
about: >-
  Steps that the program marks on main threads (host_range of kind step), those that are typical (typical_step): what the host does in
  them, whose work may end later on a GPU.
when: FROM host_range WHERE kind = 'step'
columns:
  profile: INTEGER; Thread [id]
  start: BIGINT; Begin since the epoch [ns]
  stop: BIGINT; End since the epoch [ns]
---*/
SELECT profile, start, stop FROM typical_step WHERE profile IN (SELECT profile FROM main_threads)
