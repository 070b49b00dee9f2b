"""The REST interface below /_dupdex/v1: declared once, which checks and documents it."""
