/*---
title: GPU idle time with one host function
unit: ratio
better: lower
definition: >-
  Share of the GPU's idle time within steady iterations during which launching threads ran one function or what it
  calls, and did not wait for the GPU: the function of the metric time.blame_focus. 95 % Wilson interval, in whose
  upper end idle time without any sample counts as this function's, too.
population: >-
  gaps in complete iterations that are no warm-up, or in the GPU span where no iterations were
  found; of several GPUs the mean, against threads of the same rank; gaps
  are shared by the samples of launching threads taken in them, short ones by those in all gaps of
  like length
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps
caveat: >-
  A function that runs while the GPU is idle need not be the reason for it. The interval takes
  samples as independent, and those that were lost as lost anywhere.
empty: >-
  no launching thread was sampled while the GPU was idle, or fewer than 20 times where all gaps are shorter than the
  distance of samples; or such threads did nothing then but copy and wait
---*/
SELECT inclusive / gaps AS value, low / gaps AS low, high / gaps AS high, n
FROM blame_focus
WHERE position = 1
