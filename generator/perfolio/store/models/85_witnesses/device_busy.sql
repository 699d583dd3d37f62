/*---
about: >-
  Readings of the share of time in which a device had at least one kernel, or worked otherwise where a monitor reads that [ratio].
when: device_sample
---*/
SELECT witness, device, tick, max(value) AS value FROM device_sample WHERE measure IN ('gpu_active', 'graphics_active') GROUP BY ALL
