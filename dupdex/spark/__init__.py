"""Groups of near duplicates as a Spark job, for corpora past one machine."""
