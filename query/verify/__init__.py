"""Two texts to a verdict, and what can be said against one."""
