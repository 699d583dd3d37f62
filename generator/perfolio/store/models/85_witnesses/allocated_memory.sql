/*---
about: >-
  Memory that the program held after each event of a memory snapshot, in bytes that it asked for [B], by device. Event -1 is the begin of the
  recording; times are those of the machine [ns], and NULL where the file has none.
when: allocation
---*/
WITH change AS (
    SELECT witness, device, coalesce(begin_event, -1) AS event, begin_time AS "time", bytes FROM allocation
    UNION ALL
    SELECT witness, device, end_event, end_time, -bytes FROM allocation WHERE end_event IS NOT NULL
),
step AS (
    SELECT witness, device, event, max("time") AS "time", sum(bytes) AS bytes FROM change GROUP BY ALL
)
SELECT witness, device, event, "time",
    CAST(sum(bytes) OVER (PARTITION BY witness, device ORDER BY event ROWS UNBOUNDED PRECEDING) AS BIGINT) AS allocated
FROM step
