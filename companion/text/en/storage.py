"""Errors of the game log and of the photos kept beside it."""

SENTENCES = {
    "log_conflict": "Somebody else has just written to game {game}; nothing of yours was saved. "
    "Look at the new state and enter it again if it is still missing.",
    "game_deleted_meanwhile": "Game {game} has been deleted; restore it from a backup if you need it back.",
    "log_gap": "Line {seq} of game {game} is missing in {path}; restore the game from a backup.",
    "log_corrupt": "{path} is damaged; nothing was changed in it. Move it away and restore your backup.",
    "log_foreign": "{path} belongs to another program; nothing was changed in it. Name another folder with --data.",
    "log_newer": "{path} was written by a newer version of the companion (format {found}, this one knows {known}); "
    "update the companion.",
    "log_read_only": "{path} can only be read; nothing was saved. Copy the folder to a disk that can be written to, "
    "or name another one with --data.",
    "log_busy": "Another command has been writing to {path} for too long; nothing was saved. Try again.",
    "log_cannot_open": "{path} cannot be opened; check the permissions of the folder or name another one with --data.",
    "log_failed": "{path} could not be read or written ({reason}); nothing that was saved before is lost.",
    "log_line_no_json": "Line {seq} is cut off or damaged at character {column}; nothing was changed. Take another copy of the file.",
    "lines_no_game": "These lines make no game; nothing was changed. Take another copy of the file.",
    "log_line_bad": "Line {seq} cannot be read ({reason}); nothing was changed.",
    "event_newer": "Line {seq} holds “{kind}”, version {version}, which only a newer companion knows; "
    "update the companion.",
    "disk_full": "The disk with {path} is full; nothing was saved and nothing is lost. Make room and enter it again.",
    "folder_cannot_make": "The folder {path} cannot be made ({reason}); name another one with --data.",
    "photo_not_kept": "The photo cannot be kept in {path} ({reason}).",
    "photo_unreadable": "The photo {path} cannot be read ({reason}).",
    "photo_changed": "The photo {path} is no longer the one that was kept; delete it.",
    "photo_not_deleted": "The photo {path} cannot be deleted ({reason}).",
}
