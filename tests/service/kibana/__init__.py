"""What is exported for Kibana, asked of a real Elasticsearch and sent to a small HTTP server."""
