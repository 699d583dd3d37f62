/*---
about: >-
  Samples of launching threads for each GPU that they feed (see launching_interval), each of which stands for a
  period [ns].
---*/
SELECT fed.device, held.profile, held.context, held.taken, held.start, held.stop, launch_period() AS stands
FROM launching_interval AS held JOIN fed_gpus AS fed ON fed.profile = held.profile
