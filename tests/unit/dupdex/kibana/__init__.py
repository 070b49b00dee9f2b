"""The objects for Kibana by themselves."""
