"""Results of frictionbench: read, judged again, counted, drawn, tabulated."""
