"""From a photo to a list of tiles: detect, rectify, read the halves, weigh the whole hand."""
