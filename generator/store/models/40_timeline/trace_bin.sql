/*---
about: >-
  How long each trace line was busy in each of 1,200 equal parts of the run; no row where it was idle.
when: trace
columns:
  profile: INTEGER; Profile, index in table profile [id]
  kind: VARCHAR; CPU thread or GPU stream [text]
  bin: INTEGER; Part, from 0 [id]
  busy: BIGINT; Time in which an operation or the thread ran [ns]
---*/
SELECT profile, kind, bin, busy FROM line_bins(1200)
