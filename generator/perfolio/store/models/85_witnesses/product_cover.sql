/*---
about: >-
  Kernels that compute products, convolutions or attention, by their names (kernel_class), in the steady iterations, or in all of the run
  where there are none: their time over all GPUs, and that of those launched from an operator whose sizes tell its operations exactly
  (told), and of a type whose peak is known (rated) [s]. No row without such kernels.
when: EXISTS (FROM host_range WHERE shapes IS NOT NULL) AND EXISTS (FROM gpu_operation)
columns:
  whole: DOUBLE?; Time of all such kernels [s]
  told: DOUBLE?; Of these, with operations by sizes [s]
  rated: DOUBLE?; Of these, with a known peak [s]
---*/
WITH product AS (
    SELECT ran.duration, ran.call FROM gpu_operation AS ran
    JOIN kernel_class AS kind ON kind.context = ran.context
    CROSS JOIN steady_bounds AS steady
    WHERE ran.operation = 'kernel' AND kind.class IN ('product', 'attention')
        AND (steady.start IS NULL OR ran.start >= steady.start AND ran.start < steady.stop)
),
sized AS (SELECT profile, start, stop, precision FROM sized_operator WHERE kind <> 'element-wise' AND exact),
launched AS (
    SELECT product.duration, sized.precision
    FROM product JOIN host_call AS call ON call.id = product.call
    ASOF JOIN sized ON sized.profile = call.profile AND sized.start <= call.start
    WHERE call.start < sized.stop
),
covered AS (
    SELECT sum(duration) AS told, sum(duration) FILTER (roof.rate > 0) AS rated
    FROM launched LEFT JOIN roof_ceiling AS roof ON roof.name = launched.precision
)
SELECT product.whole / 1e9 AS whole, if(product.whole > 0, coalesce(told, 0) / 1e9, NULL) AS told,
    if(product.whole > 0, coalesce(rated, 0) / 1e9, NULL) AS rated
FROM (SELECT sum(duration) AS whole FROM product) AS product CROSS JOIN covered WHERE product.whole IS NOT NULL
