/*---
title: GPU streams
unit: count
better: neither
definition: GPU streams with a trace or a profile.
population: rows of table profile that are GPU streams
needs: []
source: the profile's own tables
---*/
SELECT count(*) AS value FROM profile WHERE kind = 'GPU stream'
