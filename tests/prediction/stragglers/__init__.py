"""Who holds up a run of several ranks: planted causes, a second implementation, published jobs."""
