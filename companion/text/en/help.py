"""The help of the commands about games."""

SENTENCES = {
    "help_data": "Folder with the games (default: your data folder, or COMPANION_DATA).",
    "help_as": "Enter this as a player, who may then take it back (default: the host).",
    "help_force": "Replace a file that is there already.",
    "help_ruling": "The table insists, for this reason; the ruling is recorded.",
    "help_new": "Begin a game: name the players in the order in which they sit, clockwise.\n"
    "The code it answers with names the game from then on; the beginning of it, or “last”, will do.",
    "help_new_examples": "companion new Anna Bob Zoé\n"
    "companion new --preset meksikanskij-poezd --hand 12 --blank-points 50 Anna Bob\n"
    "companion new --set 9 --rounds 7 --change tie_break=most_zero_rounds Anna Bob Zoé\n"
    "companion new --missing 3-12 Anna Bob",
    "help_preset": "House rules to begin with; companion rules lists them (default: custom).",
    "help_set": "Highest double of the set (default: 12).",
    "help_hand": "Tiles in a hand (default: by the number of players).",
    "help_blank_points": "What 0-0 counts: 0, 25 or 50.",
    "help_rounds": "How many rounds to play (default: one for each double).",
    "help_change": "Another house rule, such as marker_penalty=5; may be repeated.",
    "help_missing": "Tiles lost from the box.",
    "help_games": "List all games, the one changed last first.",
    "help_games_examples": "companion games\ncompanion games --json",
    "help_score": "Write down what a hand costs: a number, or the tiles that are left.\n"
    "Once every score of a round is in, the next score begins the next round. Without points or tiles it writes what follows from the moves: 0 for who went out.",
    "help_score_examples": "companion score K7M2QX Anna 42\n"
    "companion score last Bob 3-12 0-0\n"
    "companion score last 3 0\n"
    'companion score last Anna 45 --why "a tile lay under the table"',
    "help_score_round": "A round other than the current one.",
    "help_score_why": "Why an unusual score is right, or why a score changes.",
    "help_state": "Show the table: engine, trains, markers, open doubles, and whose turn it is.",
    "help_state_examples": "companion state last\ncompanion state K7M2QX --legal",
    "help_legal": "Show also what the player may do.",
    "help_round": "Follow a round move by move: begin and deal it, show a hand, or end it.",
    "help_round_examples": "companion round last start --starter Anna\n"
    "companion round last hand --player Anna --tiles 3-12,0-3,5-5\n"
    "companion round last end --blocked",
    "help_starter": "Who has the first turn, where the rules do not say it.",
    "help_round_engine": "Another engine than the rules say.",
    "help_round_player": "Whose hand is shown.",
    "help_round_tiles": "The tiles that are shown.",
    "help_round_out": "Who went out, when the round ends.",
    "help_round_blocked": "The round ends because nobody can play.",
    "help_move": "Check a move and record it; a move against the rules is explained and not recorded.\n"
    "A MOVE is a tile and a train (own, mexican, a player), or draw, pass, stop, engine 12-12, marker on, call.",
    "help_move_examples": "companion move last Anna 3-12\n"
    "companion move last Bob 5-12 mexican\n"
    "companion move last Bob 5-5 Anna\n"
    "companion move last Zoé draw\n"
    'companion move last Zoé pass --ruling "we play it like this"',
    "help_keep_marker": "Leave the own marker on, where the rules let the owner choose.",
    "help_outer": "The half that becomes the tail, where a ruling turns a tile.",
    "help_undo": "Take back the last entry; it stays in the history.",
    "help_undo_examples": 'companion undo last\ncompanion undo last --as Anna --why "wrong player"',
    "help_undo_why": "Why it is taken back.",
    "help_redo": "Bring back what was taken back last.",
    "help_redo_examples": "companion redo last",
    "help_sheet": "Show the score sheet: rounds, totals, places.",
    "help_sheet_examples": "companion sheet last\ncompanion sheet K7M2QX --lang fr",
    "help_history": "Tell who entered what, when, and from which photo.",
    "help_history_examples": "companion history last",
    "help_plan": "Find the train that leaves the fewest points in a hand.",
    "help_plan_examples": "companion plan --start 12 3-12 3-5 5-5 0-9\n"
    "companion plan --game last --player Anna\n"
    "companion plan --game last --player Anna 3-12 3-5 0-9",
    "help_plan_start": "The number the train begins with.",
    "help_plan_game": "Plan in a game, on the own train or the Mexican Train.",
    "help_plan_player": "Whose hand.",
    "help_export": "Write a game for other programs and people: a table (csv), data (json), the whole log (jsonl), a link for BG Stats (bgstats), a picture (png).",
    "help_export_examples": "companion export last --output evening.csv\n"
    "companion export last --format png --output evening.png\n"
    "companion export last --format jsonl --output evening.jsonl\n"
    "companion export last --format bgstats",
    "help_export_format": "The format (default: csv).",
    "help_export_output": "Where to write it (default: to the terminal).",
    "help_backup": "Save all games, and the photos that were kept, in one file.",
    "help_backup_examples": "companion backup games.zip\ncompanion backup --force games.zip",
    "help_restore": "Bring back the games of a backup, or one exported as jsonl; nothing that is here is overwritten.",
    "help_restore_examples": "companion restore games.zip\ncompanion restore evening.jsonl",
    "help_delete": "Delete a game for good, after asking; or only its photos.",
    "help_delete_examples": "companion delete K7M2QX\ncompanion delete K7M2QX --photos --yes",
    "help_delete_photos": "Delete only the photos; the scores stay.",
    "help_yes": "Do not ask.",
    "help_rules": "Show the house rules that can be agreed on, one of them with its values, or those of a game; change them before round one.",
    "help_rules_examples": "companion rules\n"
    "companion rules double_followup\n"
    "companion rules --game last\n"
    "companion rules --game last --change double_blank_points=50",
    "help_rules_game": "The house rules of this game.",
    "help_join": "Let somebody join; the next round is dealt to them too.",
    "help_join_examples": "companion join last Marie\ncompanion join last Marie --after Bob",
    "help_after": "Whom they sit to the left of (default: the last player).",
    "help_leave": "Let a player go home; the scores stay on the sheet.",
    "help_leave_examples": "companion leave last Bob\ncompanion leave last Bob --points 30 --unranked",
    "help_leave_points": "What the hand costs, when it is counted (default: it goes to the boneyard).",
    "help_unranked": "Take the player out of the ranking.",
    "help_simulate": "Play whole games by simple strategies and show their sheets.",
    "help_simulate_examples": "companion simulate\n"
    "companion simulate --players 6 --preset pagat --seed 7\n"
    "companion simulate --games 10 --strategy random --json\n"
    "companion simulate --save --rounds 3",
    "help_simulate_players": "How many players (default: 4).",
    "help_simulate_games": "How many games (default: 1).",
    "help_seed": "The same number plays the same games (default: 1).",
    "help_strategy": "How they play, in turn; may be repeated.",
    "help_simulate_save": "Keep the games among yours.",
    "help_save": "Write the hand down for a player of a game.",
    "help_fix": "Correct a tile, such as 3-11=3-12; =3-12 adds one, 3-12= takes one away.",
    "help_accept": "The tiles were looked at: settle the doubts.",
    "help_keep_photo": "Keep the photo beside the game (default: only its fingerprint).",
}
