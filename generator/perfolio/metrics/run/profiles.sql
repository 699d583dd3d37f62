/*---
title: Profiles
unit: count
better: neither
definition: Measured CPU threads and GPU streams.
population: rows of table profile
needs: []
source: the profile's own tables
---*/
SELECT count(*) AS value FROM profile
