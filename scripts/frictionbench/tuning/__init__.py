"""The tool of frictionbench-tune: one setting set of a solver for all families of problems."""
