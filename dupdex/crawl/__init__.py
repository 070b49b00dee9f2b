"""The crawler: from start addresses to pages, politely, and what is still to be fetched."""
