/*---
title: Modules and files of PyTorch
unit: count
better: neither
definition: Load modules and source files of PyTorch that the run names; 0 where it names none.
population: all load modules and source files of the run
needs: []
source: names of modules and files, listed in the query
caveat: >-
  What no sample and no operation touched is not in a profile: 0 proves nothing.
---*/
SELECT count(*) AS value
FROM (
    SELECT path FROM module
    UNION ALL
    SELECT path FROM file
)
WHERE regexp_matches(path, '(^|/)torch/|(^|/)libtorch[^/]*\.so')
