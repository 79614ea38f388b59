"""The domain: tiles, house rules, moves, events, scoring. Pure: standard library only, no I/O, no clock, no chance."""
