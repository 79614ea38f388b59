"""A companion for Mexican Train, the domino game: it reads tiles by camera and keeps the score."""

__version__ = "0.1.0"
