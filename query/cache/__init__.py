"""What spares the store a question: a Bloom filter of all stored terms."""
