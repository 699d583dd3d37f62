/*---
title: Processes
unit: count
better: neither
definition: >-
  Processes with CPU threads: as many as ranks, or one, unless a thread of a rank (or of the run, where there are no
  ranks) has several profiles: then as many as its lowest-numbered one has.
population: CPU threads of table profile
needs: []
source: identifiers of the profiles; the model process_thread
---*/
SELECT count(*) AS value FROM process HAVING count(*) > 0
