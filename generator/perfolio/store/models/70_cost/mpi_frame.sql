/*---
about: >-
  Call frames of functions of MPI, also those that HPCToolkit wraps, and of all that they call; outermost is one that no
  other of them calls.
---*/
WITH RECURSIVE call AS (
    SELECT frame.frame, frame.caller
    FROM frame
    JOIN (SELECT DISTINCT key FROM frame WHERE name LIKE '%MPI\_%' ESCAPE '\' AND is_mpi_call(name)) AS called
        ON called.key = frame.key
),
inside AS (
    SELECT frame, caller FROM call
    UNION
    SELECT frame.frame, frame.caller FROM inside JOIN frame ON frame.caller = inside.frame
)
SELECT frame, caller NOT IN (SELECT frame FROM inside) AS outermost FROM inside
