"""What the duplicates of an index look like as a whole: rates, sources, chains, health."""
