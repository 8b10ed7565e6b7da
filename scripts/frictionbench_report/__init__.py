"""The report of scripts/report.py: what is in it (data), how files are put together (combine), the page."""
