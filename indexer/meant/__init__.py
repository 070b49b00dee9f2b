"""What a text may mean that is written in disguise: how it is asked a second time."""
