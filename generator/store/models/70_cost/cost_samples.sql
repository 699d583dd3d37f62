/*---
about: >-
  Samples behind the CPU cost of a run: cpu_sample_number, else of an event that perf or PAPI samples with a
  fixed period at least its total over event_period; NULL where nothing tells.
value: true
---*/
SELECT coalesce(cpu_sample_number(NULL), total_of(cpu_event_of()) / event_period(cpu_event_of())) AS value
