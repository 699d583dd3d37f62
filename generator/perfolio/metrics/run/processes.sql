/*---
title: Processes
unit: count
better: neither
definition: >-
  Processes with CPU threads: as many as ranks; without ranks those that the tool names, or one where it names none.
  Where a thread has several profiles in what would be one process, as many as its lowest-numbered one has.
population: CPU threads of table profile
needs: []
source: identifiers of the profiles; the model process_thread
---*/
SELECT count(*) AS value FROM process HAVING count(*) > 0
