/*---
about: >-
  Memory that the framework's allocator had reserved after each event that changed it, of a memory snapshot [B], by device. The last is what the
  segments sum to; those before follow from the changes. Event -1 is the begin of the recording.
when: memory_segment
---*/
WITH last AS (
    SELECT witness, device, sum(bytes) AS bytes FROM memory_segment GROUP BY ALL
),
first AS (
    SELECT last.witness, last.device, last.bytes - coalesce(changed.bytes, 0) AS bytes
    FROM last LEFT JOIN (SELECT witness, device, sum(bytes) AS bytes FROM reserved_change GROUP BY ALL) AS changed
        ON changed.witness = last.witness AND changed.device = last.device
),
change AS (
    SELECT witness, device, -1 AS event, CAST(NULL AS BIGINT) AS "time", bytes FROM first
    UNION ALL SELECT witness, device, event, "time", bytes FROM reserved_change
)
SELECT witness, device, event, "time",
    CAST(greatest(sum(bytes) OVER (PARTITION BY witness, device ORDER BY event ROWS UNBOUNDED PRECEDING), 0) AS BIGINT) AS reserved
FROM change
