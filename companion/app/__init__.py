"""The only place that joins rules, vision and storage."""
