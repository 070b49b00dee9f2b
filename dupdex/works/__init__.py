"""The rights holder's bank of works, and who copies them; see `dupdex/README.md`."""
