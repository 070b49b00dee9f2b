"""What a plan costs and finds in an index of a given size."""
