"""Numbers, dates and names that differ between near duplicates."""
