"""Ce que dit `companion watch` pendant qu’il suit une manche par la caméra."""

SENTENCES = {
    "help_watch": "Suivre la manche en cours par une webcam ou une vidéo : ce qui est posé est enregistré.\n"
    "Indiquez la webcam par son numéro (0 est la première) ou donnez le chemin d’une vidéo. Seule une table immobile est lue : retirez la main après un coup. Si deux choses ont pu se passer, une question est posée ; tapez le numéro de la réponse ou continuez à jouer.",
    "help_watch_examples": "companion round last start --starter Anna\ncompanion watch 0\ncompanion watch soiree.mp4 --game K7XM2P --json",
    "help_watch_game": "Code de la partie ou son début (par défaut : la partie modifiée en dernier).",
    "help_watch_side": "Où un joueur est assis dans l’image, selon les heures d’une horloge : Anna=9 est le côté gauche, Bob=12 le haut. Un seul suffit pour commencer ; sans cela, une question porte sur les premiers dominos.",
    "watch_side_syntax": "{text} n’est pas un côté : écrivez un joueur et une heure de l’horloge, par exemple Anna=9 pour le côté gauche de l’image.",
    "watch_side_twice": "{name} reçoit deux côtés ; nommez chaque joueur une seule fois.",
    "watch_side_shared": "{names} ne peuvent pas être assis à la même heure ; donnez-en une à chacun.",
    "watch_side_absent": "{name} ne joue pas cette manche ; retirez ce côté.",
    "watch_side_order": "On joue dans le sens des aiguilles d’une montre, et à ces heures {names} ne sont pas assis ainsi ; regardez de nouveau l’image.",
    "watch_game_over": "Cette partie est terminée ; il n’y a pas de manche à suivre. Commencez-en une autre avec : companion new",
    "watch_scored_round": "La manche {number} est tenue par ses points, ses coups ne peuvent donc pas être suivis. Commencez la suivante avec : companion round {game} start",
    "watch_begins": "Suivi de la partie {game} : {source}. Ctrl-C pour finir.",
    "watch_how_to_answer": "Tapez le numéro de la réponse ou continuez à jouer.",
    "watch_no_answer": "Aucune question n’a la réponse {number}.",
    "watch_withdrawn": "La question s’est réglée d’elle-même.",
    "watch_hand": "Quelque chose bouge sans cesse au-dessus de la table. Elle sera lue dès qu’elle sera immobile.",
    "watch_dark": "L’image est noire. La partie reste telle quelle et continue quand la vue revient.",
    "watch_covered": "Quelque chose est devant l’objectif. La partie reste telle quelle et continue quand la vue revient.",
    "watch_no_picture": "La webcam ne donne pas d’image. Nouvel essai en cours ; la partie reste telle quelle.",
    "watch_back": "La table est de nouveau visible.",
    "watch_pushed": "La caméra a été déplacée ; la table est relue en entier.",
    "watch_closer": "Les dominos sont trop petits dans l’image pour être lus : rapprochez la caméra ou prenez-en une qui a plus de pixels. D’ici là, rien n’est enregistré.",
    "watch_not_followed": "Aucune manche de cette partie n’est suivie coup par coup. Commencez-en une avec : companion round {game} start",
    "watch_end": "Fin : {n} {n:ligne enregistrée|lignes enregistrées} dans la partie {game}.",
}
