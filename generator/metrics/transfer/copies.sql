/*---
title: Copies
unit: count
better: lower
definition: Number of explicit copies, all directions.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GXCOPY:COUNT]
source: HPCToolkit's metric GXCOPY:COUNT
empty: >-
  the profile has copy time and counts no copies: the count was not recorded
---*/
SELECT CASE
        WHEN total_of($run, 'GXCOPY:COUNT') = 0 AND total_of($run, 'GXCOPY (sec)') > 0 THEN NULL
        ELSE total_of($run, 'GXCOPY:COUNT')
    END AS value
