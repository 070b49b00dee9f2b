"""A corpus of files grouped without a store."""
