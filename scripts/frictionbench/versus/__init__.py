"""Our solvers against those of others: contests, and what is said of them."""
