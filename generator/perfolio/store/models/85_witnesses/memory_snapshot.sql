/*---
name: allocated_memory
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

/*---
name: reserved_memory
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

/*---
name: snapshot_peak
about: >-
  Of each device of a memory snapshot the event after which the program held most, how much that was, and what was reserved then [B].
when: allocation
---*/
WITH most AS (
    SELECT witness, device, max(allocated) AS allocated, min(event) FILTER (WHERE allocated = top) AS event
    FROM (SELECT *, max(allocated) OVER (PARTITION BY witness, device) AS top FROM allocated_memory) AS known
    GROUP BY ALL
)
SELECT most.witness, most.device, most.event, most.allocated,
    (
        SELECT arg_max(held.reserved, held.event) FROM reserved_memory AS held
        WHERE held.witness = most.witness AND held.device = most.device AND held.event <= most.event
    ) AS reserved
FROM most

/*---
name: site_name
about: >-
  Lines that allocate, as pages name them: function, file without its folders, and line.
when: allocation_site
---*/
SELECT witness, site, "function" || if(file = '', '', ' (' || regexp_extract(file, '[^/\\]*$') || if(line > 0, ':' || line, '') || ')') AS name
FROM allocation_site
