"""Ce qui ne va pas dans une commande sur une partie, et que faire."""

SENTENCES = {
    # règles maison
    "preset_unknown": "Il n’y a pas de règles toutes prêtes « {preset} » : choisissez parmi {presets}.",
    "house_rule_unknown": "Il n’y a pas de règle maison « {option} » ; companion rules les montre toutes.",
    "house_rule_value": "La règle maison {option} n’a pas de valeur « {value} » ; "
    "companion rules {option} montre celles qu’elle a.",
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
    "player_name_long": "{name} est trop long pour un nom ; {most} lettres au plus.",
    "player_name_taken": "Il y a deux joueurs qui s’appellent {name} ; donnez un autre nom à l’un d’eux.",
    # quelle partie, quel joueur
    "game_ambiguous": "Plusieurs codes commencent par « {game} » : {games} ; écrivez-en davantage.",
    "game_deleted": "La partie {game} a été supprimée ; companion restore la ramène depuis une sauvegarde.",
    "player_unknown": "« {player} » n’est personne à cette table, ou plusieurs ; joueurs : {players}.",
    # ce qui a été tapé
    "house_rule_syntax": "« {text} » n’est pas un changement de règle : écrivez règle=valeur, par exemple "
    "tie_break=shared.",
    "changes_need_game": "Dites quelle partie change ses règles : --game PARTIE.",
    "score_one_number": "« {text} » fait plus d’un score : écrivez un nombre, ou des dominos comme 3-12 0-0.",
    "score_needed": "Les coups ne disent pas ce qui reste ({name}) : écrivez un nombre, ou les dominos.",
    "move_syntax": "« {text} » n’est pas un coup : écrivez un domino et un train (3-12 own, 3-12 mexican, 3-12 Anna), "
    "ou draw, pass, stop, engine 12-12, marker on, call.",
    "round_hand_syntax": "Dites à qui est la main et ce qu’elle contient : --player Anna --tiles 3-12,0-0.",
    "plan_syntax": "Écrivez les dominos et le chiffre de départ, par exemple 3-12 0-3 --start 12, "
    "ou nommez une partie avec --game.",
    "plan_twice": "Le {tile} est nommé deux fois ; un jeu n’en a qu’un.",
    "plan_needs_player": "Dites à qui est le train : --player NOM.",
    "plan_no_engine": "Il n’y a pas de double de départ dans cette partie.",
    "plan_no_hand": "Les dominos ne sont pas connus ({name}) : écrivez-les après la commande.",
    "export_needs_file": "Une image a besoin d’un fichier : --output feuille.png.",
    "delete_needs_yes": "Il n’y a personne pour répondre : dites --yes si la partie doit vraiment être supprimée.",
    "simulate_unanswered": "Ces règles laissent quelque chose ouvert ({options}) : fixez-le avec --change, --hand "
    "ou --blank-points.",
    "fix_not_read": "Le {tile} n’a pas été lu sur la photo, il ne peut donc pas être corrigé.",
    "fix_syntax": "« {text} » n’est pas une correction : écrivez lu=juste, par exemple 3-11=3-12 ; =3-12 ajoute, "
    "3-12= enlève.",
    "save_one_photo": "Une photo, une main : nommez une seule photo avec --save, ou plusieurs de la même main avec --merge.",
}
