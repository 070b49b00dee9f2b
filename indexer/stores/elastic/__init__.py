"""The write side of the Elasticsearch store."""
