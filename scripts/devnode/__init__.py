"""A real Elasticsearch cluster on loopback, without containers, for trials and tests."""
