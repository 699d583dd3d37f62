/*---
title: Blocks per launch
unit: blocks
better: higher
definition: Thread blocks of a launch, mean over launches.
population: kernels of which the tool recorded the size of the grid, on all GPUs
needs: [grid]
source: the grid of each launch
empty: no kernel has a grid
---*/
SELECT avg(blocks) AS value, count(*) AS n FROM gpu_operation WHERE operation = 'kernel' AND blocks IS NOT NULL HAVING count(*) > 0
