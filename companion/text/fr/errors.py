"""Les erreurs : ce qui ne va pas, et que faire."""

SENTENCES = {
    # dominos et jeux
    "tile_syntax": "« {text} » n’est pas un domino : écrivez les points des deux moitiés avec un tiret, par exemple 3-12.",
    "tile_out_of_range": "{text} n’est pas un domino : aucun jeu n’a plus de {max} points sur une moitié.",
    "set_unknown": "Il n’existe pas de jeu dont le plus grand double soit {max_pip} : choisissez 6, 9, 12, 15 ou 18.",
    # photos ; le nom de la photo précède la phrase
    "photo_missing": "Ce fichier n’existe pas ; vérifiez son nom.",
    "photo_is_folder": "C’est un dossier ; indiquez les photos qu’il contient.",
    "photo_no_permission": "Vous n’avez pas le droit de lire ce fichier ; copiez-le dans un de vos dossiers ou changez ses droits.",
    "photo_unreachable": "Ce fichier n’a pas pu être lu ({reason}) ; copiez-le sur un autre disque et réessayez.",
    "photo_empty": "Ce fichier est vide ; reprenez ou recopiez la photo.",
    "photo_not_a_picture": "Ce n’est pas une image lisible ; utilisez JPEG, PNG, WebP, HEIC, TIFF ou BMP.",
    "photo_file_too_big": "Ce fichier dépasse {megabytes} Mo ; enregistrez la photo en plus petit.",
    "photo_is_gif": "C’est un GIF, fait pour les dessins et les animations ; prenez une photo ou enregistrez-le en JPEG ou PNG.",
    "photo_damaged": "Cette image est abîmée ou incomplète ; recopiez-la ou prenez une nouvelle photo.",
    "photo_too_small": "Cette image n’a que {width} × {height} pixels, trop peu pour montrer un domino ; prenez une nouvelle photo.",
    "photo_too_large": "Cette image a {width} × {height} pixels, trop pour l’ouvrir sans risque ; enregistrez-la en plus petit.",
    "photo_needs_heif": "Lire une photo HEIC demande le paquet pi-heif ; installez-le ou enregistrez la photo en JPEG.",
    "camera_none": "Aucune webcam ne répond ; branchez-en une ou fermez le programme qui l’utilise.",
    "camera_gone": "La webcam n’a donné aucune image ; rebranchez-la ou prenez la photo avec un téléphone.",
    "folder_not_writable": "Impossible d’écrire dans {path} ({reason}) ; indiquez un autre dossier.",
    "output_not_writable": "Le résultat n’a pas pu être écrit ({reason}) ; faites de la place ou envoyez-le ailleurs.",
    # modèles
    "weights_missing": "Le modèle {file} manque ; réinstallez le compagnon.",
    "weights_altered": "Le modèle {file} n’est pas celui qui a été testé ; réinstallez le compagnon.",
    "reading_failed": "Le modèle a échoué sur cette photo ({reason}) ; companion doctor vérifie l’installation.",
    "taken_not_in_set": "{tile} n’est pas dans le jeu qui va jusqu’à {max_pip}-{max_pip} ; corrigez --taken ou --set.",
    # la ligne de commande
    "usage_no_such_option": "L’option {option} n’existe pas ; --help montre celles qui existent.",
    "usage_no_such_option_near": "L’option {option} n’existe pas ; vouliez-vous dire {near} ?",
    "usage_no_such_command": "La commande {command} n’existe pas ; companion --help montre celles qui existent.",
    "usage_no_such_command_near": "La commande {command} n’existe pas ; vouliez-vous dire {near} ?",
    "usage_missing": "Il manque {name} ; --help montre comment l’écrire.",
    "usage_value": "« {value} » ne convient pas à {option} : {expected}.",
    "usage_option_needs_value": "L’option {option} demande une valeur ; --help montre comment l’écrire.",
    "usage_too_much": "La commande ne comprend pas ce qui est en trop : {words} ; --help montre comment l’écrire.",
    "usage_other": "Ceci ne peut pas être compris : {message}",
    "expected_whole_number": "il faut un nombre entier",
    "expected_number_range": "il faut un nombre entier de {min} à {max}",
    "expected_choice": "choisissez parmi {choices}",
    "expected_folder": "il faut un dossier, et ceci est un fichier",
}
