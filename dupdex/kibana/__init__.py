"""Kibana objects for an index: data views, Discover sessions and dashboards, made of the mappings.

IndexFacts (read from the index) -> data views -> panels -> dashboards -> lines of a file
"""
