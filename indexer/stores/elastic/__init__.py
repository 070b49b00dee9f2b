"""The writer of the Elasticsearch store."""
