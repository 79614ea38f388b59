"""Rendered pictures of dominoes with full truth: a scene is sampled, then drawn by a renderer that never samples."""
