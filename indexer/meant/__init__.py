"""What a text may mean that is written in a disguise."""
