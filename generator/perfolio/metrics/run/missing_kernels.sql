/*---
title: Signs of kernels that were not recorded
unit: count
better: lower
definition: >-
  How many of two signs are there: threads were sampled in calls of cuBLAS below which no kernel was
  recorded (run.unseen_products), and the model's operations take longer at the device's peak than the
  recorded kernels ran (compute.missing_products). With either, kernel time, launches and the GPU's
  busy time are lower bounds, idle time is an upper one.
population: the run
needs: []
source: the model missing_kernels
caveat: >-
  0 proves nothing: without samples on calling paths, or without model_flops_per_iteration in
  profile.toml, a sign cannot be seen.
---*/
SELECT count(*) AS value FROM missing_kernels
