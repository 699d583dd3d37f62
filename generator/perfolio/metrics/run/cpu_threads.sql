/*---
title: CPU threads
unit: count
better: neither
definition: CPU threads that were measured, idle ones included.
population: rows of table profile that are CPU threads
needs: []
source: the profile's own tables
---*/
SELECT count(*) AS value FROM profile WHERE kind = 'CPU thread'
