"""The gateway as a process, before a real server."""
