"""Who holds up a run of several ranks: iterations replayed with work that is made alike."""
