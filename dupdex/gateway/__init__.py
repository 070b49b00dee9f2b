"""`dupdex serve`: an HTTP service before a cluster that adds near duplicates to what it can do."""
