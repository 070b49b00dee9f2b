"""Work that goes through a whole index: what runs, when, and how it went."""
