"""Work that goes through a whole index, by itself or at a time: what runs, when, and how it went."""
