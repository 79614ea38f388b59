import sys
from pathlib import Path

# datasets/ and models/ are folders of programs, not packages: their names belong to well-known libraries.
for folder in ("datasets", "models"):
    path = str(Path(__file__).parents[2] / folder)
    if path not in sys.path:
        sys.path.insert(0, path)
