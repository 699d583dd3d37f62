/*---
title: Kernel launches
unit: count
better: lower
definition: Number of kernel launches that were measured.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GKER:COUNT]
source: HPCToolkit's metric GKER:COUNT
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
empty: >-
  the profile has kernel time and counts no launches: the count was not recorded
---*/
SELECT CASE
        WHEN total_of($run, 'GKER:COUNT') = 0 AND total_of($run, 'GKER (sec)') > 0 THEN NULL
        ELSE total_of($run, 'GKER:COUNT')
    END AS value
