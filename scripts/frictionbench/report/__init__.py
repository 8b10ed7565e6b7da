"""The report of frictionbench-report: what is in it (data), how files are put together (combine), the page."""
