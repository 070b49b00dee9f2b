"""Programs that use the official clients, in their languages."""
