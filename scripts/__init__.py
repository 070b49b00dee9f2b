"""Tools a developer runs; nothing here is installed with dupdex."""
