"""From text to stored record: sources, preparation, fingerprints, writers of stores."""
