"""Tests that need a real Elasticsearch node."""
