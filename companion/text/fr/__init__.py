"""The sentences in French."""
