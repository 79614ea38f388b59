"""Errors: what is wrong, and what to do."""

SENTENCES = {
    # tiles and sets
    "tile_syntax": "“{text}” is no tile: write the pips of both halves with a hyphen, such as 3-12.",
    "tile_out_of_range": "{text} is no tile: no set has more than {max} pips on a half.",
    "set_unknown": "There is no set with {max_pip} as its highest double: choose 6, 9, 12, 15 or 18.",
    # photos; the name of the photo stands before the sentence
    "photo_missing": "There is no such file; check the name.",
    "photo_is_folder": "This is a folder; name the photos in it.",
    "photo_no_permission": "You may not read this file; copy it to a folder of your own or change its permissions.",
    "photo_unreachable": "This file could not be read ({reason}); copy it to another disk and try again.",
    "photo_empty": "This file is empty; take or copy the photo again.",
    "photo_not_a_picture": "This is no picture that can be read; use JPEG, PNG, WebP, HEIC, TIFF or BMP.",
    "photo_file_too_big": "This file has more than {megabytes} MB; save the photo smaller.",
    "photo_is_gif": "This is a GIF, made for drawings and animations; take a photo or save it as JPEG or PNG.",
    "photo_damaged": "This picture is damaged or cut short; copy it again or take a new photo.",
    "photo_too_small": "This picture has only {width} × {height} pixels, too few to show a tile; take a new photo.",
    "photo_too_large": "This picture has {width} × {height} pixels, too many to open safely; save it smaller.",
    "photo_needs_heif": "Reading HEIC needs the package pi-heif; install it or save the photo as JPEG.",
    "camera_none": "No webcam answers; plug one in, or close the program that uses it.",
    "camera_gone": "The webcam gave no picture; plug it in again, or take the photo with a phone.",
    "folder_not_writable": "Nothing can be written to {path} ({reason}); name another folder.",
    "output_not_writable": "The result could not be written ({reason}); make room, or send it somewhere else.",
    # models
    "weights_missing": "The model {file} is missing; install the companion again.",
    "weights_altered": "The model {file} is not the one that was tested; install the companion again.",
    "reading_failed": "The model failed on this photo ({reason}); companion doctor checks the installation.",
    "taken_not_in_set": "{tile} is not in the set up to {max_pip}-{max_pip}; correct --taken or --set.",
    # the command line
    "usage_no_such_option": "There is no option {option}; --help shows those there are.",
    "usage_no_such_option_near": "There is no option {option}; did you mean {near}?",
    "usage_no_such_command": "There is no command {command}; companion --help shows those there are.",
    "usage_no_such_command_near": "There is no command {command}; did you mean {near}?",
    "usage_missing": "{name} is missing; --help shows how to write it.",
    "usage_value": "“{value}” does not fit {option}: {expected}.",
    "usage_option_needs_value": "The option {option} needs a value; --help shows how to write it.",
    "usage_too_much": "This is more than the command understands: {words}; --help shows how to write it.",
    "usage_other": "This cannot be understood: {message}",
    "expected_whole_number": "a whole number is needed",
    "expected_number_range": "a whole number from {min} to {max} is needed",
    "expected_choice": "choose one of {choices}",
    "expected_folder": "a folder is needed and this is a file",
}
