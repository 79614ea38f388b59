"""What is wrong with a command about a game, and what to do."""

SENTENCES = {
    # house rules
    "preset_unknown": "There is no preset “{preset}”: choose one of {presets}.",
    "house_rule_unknown": "There is no house rule “{option}”; companion house-rules lists them all.",
    "house_rule_value": "The house rule {option} has no value “{value}”; companion house-rules {option} shows its values.",
    "house_rules_contradict": "{first}={first_value} and {second}={second_value} exclude each other; change one of them.",
    # games
    "game_unknown": "There is no game {game}; companion games lists them.",
    "log_no_game": "The lines of game {game} make no game; nothing was changed. Restore it from a backup.",
    "draft_doubtful": "{n} {n:doubt|doubts} must be settled first: look at the tiles, then accept or correct them.",
    "undo_nothing": "There is nothing of yours to take back.",
    "undo_start": "This is the beginning of the game; delete the game if you do not want it.",
    "undo_buried": "Others have entered more since; only the host can take that back first.",
    "redo_nothing": "There is nothing to bring back.",
    # files
    "file_exists": "{path} is there already; name another file, or replace it with --force.",
    "file_missing": "There is no file {path}; check the name.",
    "file_unreadable": "{path} cannot be read ({reason}).",
    "file_not_written": "{path} cannot be written ({reason}); name another place.",
    "backup_bad": "{path} is no backup and no game, or it is damaged; nothing was changed.",
    # the table
    "illegal_move": "The rules do not allow this.",
    "player_name_empty": "A player needs a name.",
    "player_name_taken": "There are two players called {name}; give one of them another name.",
}
