"""Pages as they were fetched: extraction, identity, the store beside an index."""
