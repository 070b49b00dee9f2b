"""Why two texts are duplicates, or are not."""
