"""How the nouns look to the outside: JSON, lines of text, pages."""
