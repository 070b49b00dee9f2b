"""The console: pages for people over the REST interface of the gateway, and nothing else."""
