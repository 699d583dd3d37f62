/*---
title: GPU of NVIDIA
unit: count
better: neither
definition: 1 where the GPU that was measured is one of NVIDIA's, 0 where it is of another maker.
population: the run
needs: [gpu_operations]
source: >-
  profile.toml, else values that only one vendor's tools fill, else names of libraries (the model
  gpu_vendor)
empty: nothing tells the vendor of a GPU
---*/
SELECT CASE vendor WHEN 'NVIDIA' THEN 1 ELSE 0 END AS value
FROM gpu_vendor
WHERE vendor <> 'unknown'
