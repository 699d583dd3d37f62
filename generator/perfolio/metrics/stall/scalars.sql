/*---
defaults:
  unit: ratio
  better: lower
  population: >-
    all PC samples of all kernels: context 0 at scope execution, divided by the sampling period to
    give samples
  needs: [pc_samples, stalled_samples, samples_taken]
  caveat: >-
    Multiprocessors are sampled at the same moments and are apt to do the same then: samples of one
    moment count as one. Where the profile does not tell how many those are, all samples count as
    independent and the true uncertainty is larger.
  empty: the profile holds no PC samples
---*/

/*---
name: cmem_of_samples
title: Constant-memory stalls, share of samples
definition: PC samples stalled on constant memory, over all PC samples. 95 % Wilson interval.
needs: ["stalled_samples:CMEM", pc_samples, samples_taken]
source: stalled_samples:CMEM / pc_samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:CMEM' AND whole = 'pc_samples'

/*---
name: cmem_of_stalls
title: Constant-memory stalls, share of stalls
definition: PC samples stalled on constant memory, over stalled PC samples. 95 % Wilson interval.
needs: ["stalled_samples:CMEM", stalled_samples, samples_taken]
source: stalled_samples:CMEM / stalled_samples
empty: the profile holds no stalled PC samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:CMEM' AND whole = 'stalled_samples'

/*---
name: gmem_of_samples
title: Global-memory stalls, share of samples
definition: PC samples stalled on global memory, over all PC samples. 95 % Wilson interval.
needs: ["stalled_samples:GMEM", pc_samples, samples_taken]
source: stalled_samples:GMEM / pc_samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:GMEM' AND whole = 'pc_samples'

/*---
name: gmem_of_stalls
title: Global-memory stalls, share of stalls
definition: PC samples stalled on global memory, over stalled PC samples. 95 % Wilson interval.
needs: ["stalled_samples:GMEM", stalled_samples, samples_taken]
source: stalled_samples:GMEM / stalled_samples
empty: the profile holds no stalled PC samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:GMEM' AND whole = 'stalled_samples'

/*---
name: idep_of_samples
title: Dependency stalls, share of samples
definition: >-
  PC samples stalled on an instruction dependency, over all PC samples. 95 % Wilson interval.
needs: ["stalled_samples:IDEP", pc_samples, samples_taken]
source: stalled_samples:IDEP / pc_samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:IDEP' AND whole = 'pc_samples'

/*---
name: idep_of_stalls
title: Dependency stalls, share of stalls
definition: >-
  PC samples stalled on an instruction dependency, over stalled PC samples. 95 % Wilson
  interval.
needs: ["stalled_samples:IDEP", stalled_samples, samples_taken]
source: stalled_samples:IDEP / stalled_samples
empty: the profile holds no stalled PC samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:IDEP' AND whole = 'stalled_samples'

/*---
name: ifet_of_samples
title: Instruction-fetch stalls, share of samples
definition: PC samples stalled on an instruction fetch, over all PC samples. 95 % Wilson interval.
needs: ["stalled_samples:IFET", pc_samples, samples_taken]
source: stalled_samples:IFET / pc_samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:IFET' AND whole = 'pc_samples'

/*---
name: ifet_of_stalls
title: Instruction-fetch stalls, share of stalls
definition: >-
  PC samples stalled on an instruction fetch, over stalled PC samples. 95 % Wilson interval.
needs: ["stalled_samples:IFET", stalled_samples, samples_taken]
source: stalled_samples:IFET / stalled_samples
empty: the profile holds no stalled PC samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:IFET' AND whole = 'stalled_samples'

/*---
name: issue_ratio
title: Issue ratio
better: higher
definition: >-
  PC samples that are no stall, over all PC samples: 1 - STL_ANY / GINS. It counts the samples
  of stall reason NONE as issuing. 95 % Wilson interval.
source: >-
  GPU Performance Advisor (CGO 2021): active samples over all samples
---*/
SELECT 1 - value AS value, 1 - high AS low, 1 - low AS high, n
FROM sampled_share
WHERE part = 'stalled_samples' AND whole = 'pc_samples'

/*---
name: stalled_share
title: Stalled samples
definition: >-
  PC samples at which the scheduler could issue nothing because of a stall (STL_ANY), over all
  PC samples. 95 % Wilson interval.
source: stalled_samples / pc_samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples' AND whole = 'pc_samples'

/*---
name: stalled_time
title: Stalled share of kernel time
definition: >-
  The share of stalled samples of each kernel, weighted by the kernel's time. A kernel that leaves
  multiprocessors empty gives few samples for its time, so that the share of all samples says less of it.
population: >-
  kernels with PC samples, by name: their calling contexts, samples at scope execution (they do
  not nest), times at scope point
needs: [kernel_time, pc_samples, stalled_samples]
source: sum over kernels of (time × stalled_samples / pc_samples), over the time of these kernels
caveat: >-
  The samples of a kernel are taken as alike on all multiprocessors. Kernels without samples are left out.
empty: no kernel with a time has PC samples
---*/
WITH kernel AS (
    SELECT kernel_contexts.kernel, sum(kernel_contexts."time") AS "time",
        sum(sampled.stalled) / nullif(sum(sampled.samples), 0) AS stalled
    FROM kernel_context AS kernel_contexts
    LEFT JOIN sampled_contexts AS sampled ON sampled.context = kernel_contexts.context
    GROUP BY kernel_contexts.kernel
)
SELECT sum("time" * stalled) / nullif(sum("time") FILTER (WHERE stalled IS NOT NULL), 0) AS value
FROM kernel

/*---
name: sync_of_samples
title: Synchronisation stalls, share of samples
definition: PC samples stalled on synchronisation, over all PC samples. 95 % Wilson interval.
needs: ["stalled_samples:SYNC", pc_samples, samples_taken]
source: stalled_samples:SYNC / pc_samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:SYNC' AND whole = 'pc_samples'

/*---
name: sync_of_stalls
title: Synchronisation stalls, share of stalls
definition: PC samples stalled on synchronisation, over stalled PC samples. 95 % Wilson interval.
needs: ["stalled_samples:SYNC", stalled_samples, samples_taken]
source: stalled_samples:SYNC / stalled_samples
empty: the profile holds no stalled PC samples
---*/
SELECT value, low, high, n
FROM sampled_share
WHERE part = 'stalled_samples:SYNC' AND whole = 'stalled_samples'
