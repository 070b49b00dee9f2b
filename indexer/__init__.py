"""From text to stored record: preparation, fingerprints, readers of files, writers of stores."""
