"""What is wrong with a command about a game, and what to do."""

SENTENCES = {
    # house rules
    "preset_unknown": "There is no preset “{preset}”: choose one of {presets}.",
    "house_rule_unknown": "There is no house rule “{option}”; companion rules lists them all.",
    "house_rule_value": "The house rule {option} has no value “{value}”; companion rules {option} shows its values.",
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
    "player_name_long": "{name} is too long for a name; {most} letters are the most.",
    "player_name_taken": "There are two players called {name}; give one of them another name.",
    # which game, which player
    "game_ambiguous": "“{game}” begins several codes: {games}; write more of it.",
    "game_deleted": "Game {game} was deleted; companion restore brings it back from a backup.",
    "player_unknown": "“{player}” is nobody at this table, or more than one; players: {players}.",
    # what was typed
    "house_rule_syntax": "“{text}” is no change of a house rule: write rule=value, such as tie_break=shared.",
    "changes_need_game": "Say which game changes its rules: --game GAME.",
    "score_one_number": "“{text}” is more than one score: write one number, or tiles such as 3-12 0-0.",
    "score_needed": "What {name} has left does not follow from the moves: write a number, or the tiles.",
    "move_syntax": "“{text}” is no move: write a tile and a train (3-12 own, 3-12 mexican, 3-12 Anna), "
    "or draw, pass, stop, engine 12-12, marker on, call.",
    "round_hand_syntax": "Say whose hand it is and what it holds: --player Anna --tiles 3-12,0-0.",
    "plan_syntax": "Write the tiles and the number they start from, such as 3-12 0-3 --start 12, or name a --game.",
    "plan_twice": "{tile} is named twice; a set has it once.",
    "plan_needs_player": "Say whose train: --player NAME.",
    "plan_no_engine": "There is no engine in this game to plan from.",
    "plan_no_hand": "The tiles of {name} are not known: write them after the command.",
    "export_needs_file": "A picture needs a file: --output sheet.png.",
    "delete_needs_yes": "Nobody is here to be asked: say --yes if the game is really to be deleted.",
    "simulate_unanswered": "These rules leave something open ({options}): set it with --change, --hand or --blank-points.",
    "fix_not_read": "{tile} was not read in the photo, so it cannot be corrected.",
    "fix_syntax": "“{text}” is no correction: write read=right, such as 3-11=3-12; =3-12 adds, 3-12= removes.",
    "save_one_photo": "One photo is one hand: name one photo with --save, or several of one hand with --merge.",
}
