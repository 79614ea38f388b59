"""The append-only game log on disk, and photos by their hash."""
