/*---
about: >-
  Calling contexts that copied, as measured: time, copies, bytes, and the direction where all bytes of the
  context have the same one, or, without bytes, where the tool names it. The tool keeps time and count per
  context, not per direction; a run that counts no copies has their number from the trace.
---*/
SELECT copied.context, copied."time", coalesce(copied.counted, traced.operations) AS copies, copied.bytes,
    CASE copied.directions
        WHEN 0 THEN coalesce(nullif(regexp_extract(gpu_context.operation, '^copy (\w+)$', 1), ''), 'unknown')
        WHEN 1 THEN copied.only_direction
        ELSE 'mixed'
    END AS direction
FROM (
    SELECT context,
        coalesce(sum(value) FILTER (WHERE name = 'copy_time'), 0) AS "time",
        nullif(sum(value) FILTER (WHERE name = 'copy_count'), 0) AS counted,
        sum(value) FILTER (WHERE name LIKE 'copy_bytes:%') AS bytes,
        count(*) FILTER (WHERE name LIKE 'copy_bytes:%' AND value > 0) AS directions,
        any_value(regexp_extract(name, ':(\w+)', 1)) FILTER (WHERE name LIKE 'copy_bytes:%' AND value > 0) AS only_direction
    FROM cost WHERE scope = 'point' AND regexp_matches(name, '^copy_(time|count|bytes:)') AND context <> 0 GROUP BY context
) AS copied
LEFT JOIN gpu_context ON gpu_context.context = copied.context
LEFT JOIN traced_operations AS traced
    ON traced.context = copied.context AND NOT total_of('copy_count') > 0
