"""Ce qui ne va pas dans une commande sur une partie, et que faire."""

SENTENCES = {
    # règles maison
    "preset_unknown": "Il n’y a pas de règles toutes prêtes « {preset} » : choisissez parmi {presets}.",
    "house_rule_unknown": "Il n’y a pas de règle maison « {option} » ; companion house-rules les montre toutes.",
    "house_rule_value": "La règle maison {option} n’a pas de valeur « {value} » ; "
    "companion house-rules {option} montre celles qu’elle a.",
    "house_rules_contradict": "{first}={first_value} et {second}={second_value} s’excluent ; changez l’une des deux.",
    # parties
    "game_unknown": "Il n’y a pas de partie {game} ; companion games les montre toutes.",
    "log_no_game": "Les lignes de la partie {game} ne font pas une partie ; rien n’a été modifié. "
    "Restaurez-la depuis une sauvegarde.",
    "draft_doubtful": "{n} {n:doute reste|doutes restent} à lever : regardez les dominos, "
    "puis acceptez-les ou corrigez-les.",
    "undo_nothing": "Vous n’avez rien à annuler.",
    "undo_start": "C’est le début de la partie ; supprimez-la si vous n’en voulez pas.",
    "undo_buried": "D’autres ont saisi la suite depuis ; seul l’hôte peut d’abord l’annuler.",
    "redo_nothing": "Il n’y a rien à rétablir.",
    # fichiers
    "file_exists": "{path} existe déjà ; donnez un autre nom ou remplacez-le avec --force.",
    "file_missing": "Il n’y a pas de fichier {path} ; vérifiez le nom.",
    "file_unreadable": "{path} ne peut pas être lu ({reason}).",
    "file_not_written": "{path} ne peut pas être écrit ({reason}) ; choisissez un autre endroit.",
    "backup_bad": "{path} n’est ni une sauvegarde ni une partie, ou il est endommagé ; rien n’a été modifié.",
    # the table
    "illegal_move": "Les règles ne le permettent pas.",
    "player_name_empty": "Un joueur a besoin d’un nom.",
    "player_name_taken": "Il y a deux joueurs qui s’appellent {name} ; donnez un autre nom à l’un d’eux.",
}
