"""Requests that are sent to the server and through the gateway, whose answers must be the same."""
