/*---
about: >-
  The GPUs that each launching thread may feed: those of its node and rank, or all where the profile does not
  tell.
---*/
SELECT line.profile, gpu_device.device
FROM trace_line AS line
JOIN profile ON profile."index" = line.profile
JOIN gpu_device ON coalesce(profile.node = gpu_device.node, true) AND coalesce(profile.rank = gpu_device.rank, true)
WHERE line.launching
