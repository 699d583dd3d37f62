"""Lakes of many runs, and what is asked of them."""
