"""Groups of near duplicates: which documents belong together, and which one stands for them."""
