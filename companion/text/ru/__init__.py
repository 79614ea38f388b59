"""The sentences in Russian."""
