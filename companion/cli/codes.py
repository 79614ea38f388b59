"""Exit codes; 0 is success."""

FAILED = 2
"""Something that was asked for could not be done."""
INTERRUPTED = 130
"""Ctrl-C."""
