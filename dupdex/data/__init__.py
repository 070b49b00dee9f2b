"""Files that ship with the application: a demonstration corpus."""
