"""The words on a score sheet."""

SENTENCES = {
    "sheet_title": "Mexican Train, game {game}",
    "sheet_round": "Round",
    "sheet_engine": "Engine",
    "sheet_opening": "Start",
    "sheet_total": "Total",
    "sheet_rank": "Place",
    "sheet_made_with": "Made with Mexican Train Companion",
    "sheet_progress": "Round {round} of {rounds}; {missing} {missing:score is|scores are} still missing.",
    "sheet_complete": "Round {round} of {rounds}; all scores are in.",
    "sheet_not_begun": "No round has begun yet.",
    "sheet_over_one": "The game is over. {names} wins.",
    "sheet_over_many": "The game is over. {names} share the win.",
    "sheet_over": "The game is over.",
}
