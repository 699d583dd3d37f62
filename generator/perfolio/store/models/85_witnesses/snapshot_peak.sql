/*---
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
