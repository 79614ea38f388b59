"""What `companion watch` says while it follows a round through a camera."""

SENTENCES = {
    "help_watch": "Follow the running round through a webcam or a video: what is laid is recorded.\n"
    "Name the webcam by its number (0 is the first) or give the path of a video. Only a still table is read: take your hand away after a move. Where two things may have happened, one question is asked; type the number of the answer, or play on.",
    "help_watch_examples": "companion round last start --starter Anna\ncompanion watch 0\ncompanion watch evening.mp4 --game K7XM2P --json",
    "help_watch_game": "Code of the game, or its beginning (default: the game changed last).",
    "help_watch_side": "Where a player sits in the picture, by the hours of a clock: Anna=9 is the left side, Bob=12 the top. One side is enough to begin with; without any, the first tiles are asked about.",
    "watch_side_syntax": "{text} is no side: write a player and an hour of the clock, such as Anna=9 for the left side of the picture.",
    "watch_side_twice": "{name} is given two sides; name each player once.",
    "watch_side_shared": "{names} cannot sit at one hour; give each player one of their own.",
    "watch_side_absent": "{name} does not play in this round; leave that side out.",
    "watch_side_order": "Turns go clockwise, and {names} do not sit so by these hours; look at the picture again.",
    "watch_game_over": "This game is over; there is no round to follow. Begin another with: companion new",
    "watch_scored_round": "Round {number} is kept by its scores, so its moves cannot be followed. Begin the next one with: companion round {game} start",
    "watch_begins": "Following game {game}: {source}. Ctrl-C ends it.",
    "watch_how_to_answer": "Type the number of the answer, or play on.",
    "watch_no_answer": "Nothing is asked that has the answer {number}.",
    "watch_withdrawn": "The question has settled itself.",
    "watch_hand": "Something is moving over the table all the time. It is read as soon as it lies still.",
    "watch_dark": "The picture is black. The game stays as it is and goes on when the view returns.",
    "watch_covered": "Something is before the lens. The game stays as it is and goes on when the view returns.",
    "watch_no_picture": "The webcam gives no picture. It is tried again; the game stays as it is.",
    "watch_back": "The table is in view again.",
    "watch_pushed": "The camera was pushed; the table is read anew.",
    "watch_closer": "The tiles are too small in the picture to be read: move the camera closer, or choose one with more pixels. Nothing is recorded until then.",
    "watch_not_followed": "No round of this game is followed move by move. Begin one with: companion round {game} start",
    "watch_end": "The end: {n} {n:entry|entries} recorded in game {game}.",
}
