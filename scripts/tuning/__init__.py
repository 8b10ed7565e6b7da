"""The tool of scripts/tuning/tune.py: one setting set of a solver for all families of problems."""
