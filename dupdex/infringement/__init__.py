"""The report of who copies which works, as tables, files, a page, and notices to sites."""
