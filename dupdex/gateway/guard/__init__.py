"""Who may do what, and how much: API keys, indices, filters, rates and limits."""
