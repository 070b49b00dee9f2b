"""The read side of the Elasticsearch store: request bodies, scores, candidates."""
