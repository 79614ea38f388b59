"""The help of the command line."""

SENTENCES = {
    "help_usage": "Usage:",
    "help_options": "Options:",
    "help_commands": "Commands:",
    "help_examples": "Examples:",
    "help_help": "Show this help.",
    "help_version": "Show the version.",
    "help_lang": "Language: English, French or Russian (default: that of your system).",
    "help_json": "Print JSON, one object a line.",
    "help_companion": "A companion for Mexican Train: it reads your tiles by camera and keeps the score.",
    "help_companion_examples": "companion new Anna Bob Zoé\ncompanion score last Anna 42\ncompanion sheet last\ncompanion scan hand.jpg\ncompanion doctor",
    "help_scan": "Read the tiles in photos and count their points.\n"
    "Tiles that should be looked at again carry a question mark and a reason.",
    "help_scan_examples": "companion scan hand.jpg\n"
    "companion scan --set 9 --blank-points 50 ann.jpg bob.jpg\n"
    "companion scan --taken 12-12,3-12 hand.heic\n"
    "companion scan --merge left.jpg right.jpg\n"
    "companion scan --annotate checked *.jpg\n"
    "companion scan --table --engine 12-12 table.jpg",
    "help_scan_set": "Highest double of your set (default: 12).",
    "help_scan_taken": "Tiles known to lie elsewhere; seen in the photo, they are a doubt.",
    "help_scan_blank_points": "What 0-0 counts (default: 0).",
    "help_scan_merge": "The photos show one hand: a tile in several of them counts once.",
    "help_scan_annotate": "Save a copy of each photo there, with outlines and values.",
    "help_scan_table": "The photos show the table: tell its trains instead of points.",
    "help_scan_engine": "The engine of the round, where it is known (with --table).",
    "help_doctor": "Tell what is installed, what is missing and how to get it.",
    "help_doctor_examples": "companion doctor",
}
