/*---
about: >-
  How long any operation, a kernel, a copy, or a copy and a kernel at once ran on a GPU, over its streams; work
  is the sum over operations. All the mean over GPUs, but for the greatest level, which is of any [ns].
---*/
SELECT
    sum(stop - start) / any_value(gpus.number) AS span,
    coalesce(sum(stop - start) FILTER (WHERE kernels + copies + others > 0), 0) / any_value(gpus.number) AS busy,
    coalesce(sum(stop - start) FILTER (WHERE kernels > 0), 0) / any_value(gpus.number) AS kernel_busy,
    coalesce(sum(stop - start) FILTER (WHERE copies > 0), 0) / any_value(gpus.number) AS copy_busy,
    coalesce(sum(stop - start) FILTER (WHERE kernels > 0 AND copies > 0), 0) / any_value(gpus.number) AS overlap,
    sum((stop - start) * (kernels + copies + others)) / any_value(gpus.number) AS work,
    max(kernels + copies + others) AS greatest_level
FROM gpu_level CROSS JOIN (SELECT gpus() AS number) AS gpus HAVING count(*) > 0
