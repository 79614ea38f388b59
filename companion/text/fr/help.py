"""L’aide des commandes sur les parties."""

SENTENCES = {
    "help_data": "Dossier des parties (par défaut votre dossier de données, ou COMPANION_DATA).",
    "help_as": "Saisir en tant que joueur, qui pourra l’annuler (par défaut l’hôte).",
    "help_force": "Remplacer un fichier qui existe déjà.",
    "help_ruling": "La table y tient, pour cette raison ; sa décision est notée.",
    "help_new": "Commencer une partie : nommez les joueurs dans l’ordre où ils sont assis, dans le sens des aiguilles d’une montre.\n"
    "Le code donné en réponse nomme ensuite la partie ; son début, ou « last », suffit.",
    "help_new_examples": "companion new Anna Bruno Zoé\n"
    "companion new --preset train-mexicain Anna Bruno\n"
    "companion new --set 9 --rounds 7 --change tie_break=most_zero_rounds Anna Bruno Zoé\n"
    "companion new --missing 3-12 Anna Bruno",
    "help_preset": "Règles maison de départ ; companion rules les montre (par défaut custom).",
    "help_set": "Le plus grand double du jeu (par défaut 12).",
    "help_hand": "Dominos en main (par défaut selon le nombre de joueurs).",
    "help_blank_points": "Ce que compte le 0-0 : 0, 25 ou 50.",
    "help_rounds": "Nombre de manches (par défaut une par double).",
    "help_change": "Une autre règle maison, par exemple marker_penalty=5 ; peut être répété.",
    "help_missing": "Dominos perdus de la boîte.",
    "help_games": "Montrer toutes les parties, la dernière modifiée d’abord.",
    "help_games_examples": "companion games\ncompanion games --json",
    "help_score": "Noter ce que coûte une main : un nombre, ou les dominos qui restent.\n"
    "Quand tous les scores d’une manche sont là, le score suivant commence la manche suivante. Sans points ni dominos, note ce qui découle des coups : 0 pour qui a fini.",
    "help_score_examples": "companion score K7M2QX Anna 42\n"
    "companion score last Bruno 3-12 0-0\n"
    "companion score last 3 0\n"
    'companion score last Anna 45 --why "un domino sous la table"',
    "help_score_round": "Une autre manche que celle en cours.",
    "help_score_why": "Pourquoi un score inhabituel est juste, ou pourquoi un score change.",
    "help_state": "Montrer la table : double de départ, trains, marqueurs, doubles ouverts, et à qui de jouer.",
    "help_state_examples": "companion state last\ncompanion state K7M2QX --legal",
    "help_legal": "Montrer aussi ce que peut faire le joueur.",
    "help_round": "Suivre une manche coup par coup : la commencer et distribuer, montrer une main, la finir.",
    "help_round_examples": "companion round last start --starter Anna\n"
    "companion round last hand --player Anna --tiles 3-12,0-3,5-5\n"
    "companion round last end --blocked",
    "help_starter": "Qui joue en premier, si les règles ne le disent pas.",
    "help_round_engine": "Un autre double de départ que celui des règles.",
    "help_round_player": "À qui est la main montrée.",
    "help_round_tiles": "Les dominos montrés.",
    "help_round_out": "Qui a fini, quand la manche se termine.",
    "help_round_blocked": "La manche se termine car personne ne peut jouer.",
    "help_move": "Vérifier un coup et le noter ; un coup contraire aux règles est expliqué et n’est pas noté.\n"
    "Un coup : un domino et un train (own, mexican, un joueur), ou draw, pass, stop, engine 12-12, marker on, call.",
    "help_move_examples": "companion move last Anna 3-12\n"
    "companion move last Bruno 5-12 mexican\n"
    "companion move last Bruno 5-5 Anna\n"
    "companion move last Zoé draw\n"
    'companion move last Zoé pass --ruling "chez nous on joue ainsi"',
    "help_keep_marker": "Laisser son marqueur, si les règles donnent le choix.",
    "help_outer": "La moitié qui devient la queue, si une décision retourne un domino.",
    "help_undo": "Annuler la dernière saisie ; elle reste dans l’historique.",
    "help_undo_examples": 'companion undo last\ncompanion undo last --as Anna --why "mauvais joueur"',
    "help_undo_why": "Pourquoi on l’annule.",
    "help_redo": "Rétablir ce qui a été annulé en dernier.",
    "help_redo_examples": "companion redo last",
    "help_sheet": "Montrer la feuille de scores : manches, totaux, places.",
    "help_sheet_examples": "companion sheet last\ncompanion sheet K7M2QX --lang ru",
    "help_history": "Dire qui a saisi quoi, quand, et depuis quelle photo.",
    "help_history_examples": "companion history last",
    "help_plan": "Trouver le train qui laisse le moins de points en main.",
    "help_plan_examples": "companion plan --start 12 3-12 3-5 5-5 0-9\n"
    "companion plan --game last --player Anna\n"
    "companion plan --game last --player Anna 3-12 3-5 0-9",
    "help_plan_start": "Le chiffre par lequel commence le train.",
    "help_plan_game": "Chercher dans une partie, sur son train ou le train mexicain.",
    "help_plan_player": "La main de qui.",
    "help_export": "Écrire une partie pour d’autres programmes et d’autres gens : un tableau (csv), des données (json), tout le journal (jsonl), un lien pour BG Stats (bgstats), une image (png).",
    "help_export_examples": "companion export last --output soiree.csv\n"
    "companion export last --format png --output soiree.png\n"
    "companion export last --format jsonl --output soiree.jsonl\n"
    "companion export last --format bgstats",
    "help_export_format": "Le format (par défaut csv).",
    "help_export_output": "Où l’écrire (par défaut dans le terminal).",
    "help_backup": "Sauvegarder toutes les parties, et les photos gardées, dans un seul fichier.",
    "help_backup_examples": "companion backup parties.zip\ncompanion backup --force parties.zip",
    "help_restore": "Ramener les parties d’une sauvegarde, ou une partie exportée en jsonl ; rien de ce qui est ici n’est écrasé.",
    "help_restore_examples": "companion restore parties.zip\ncompanion restore soiree.jsonl",
    "help_delete": "Supprimer une partie pour de bon, après question ; ou seulement ses photos.",
    "help_delete_examples": "companion delete K7M2QX\ncompanion delete K7M2QX --photos --yes",
    "help_delete_photos": "Supprimer seulement les photos ; les scores restent.",
    "help_yes": "Ne pas poser de question.",
    "help_rules": "Montrer les règles maison possibles, l’une d’elles avec ses valeurs, ou celles d’une partie ; les changer avant la première manche.",
    "help_rules_examples": "companion rules\n"
    "companion rules double_followup\n"
    "companion rules --game last\n"
    "companion rules --game last --change double_blank_points=50",
    "help_rules_game": "Les règles maison de cette partie.",
    "help_join": "Faire entrer quelqu’un ; il reçoit une main dès la manche suivante.",
    "help_join_examples": "companion join last Marie\ncompanion join last Marie --after Bruno",
    "help_after": "À la gauche de qui il s’assied (par défaut le dernier joueur).",
    "help_leave": "Laisser partir un joueur ; ses scores restent sur la feuille.",
    "help_leave_examples": "companion leave last Bruno\ncompanion leave last Bruno --points 30 --unranked",
    "help_leave_points": "Ce que coûte sa main, si on la compte (par défaut elle va à la pioche).",
    "help_unranked": "Retirer le joueur du classement.",
    "help_simulate": "Jouer des parties entières avec des stratégies simples et montrer leurs feuilles.",
    "help_simulate_examples": "companion simulate\n"
    "companion simulate --players 6 --preset pagat --seed 7\n"
    "companion simulate --games 10 --strategy random --json\n"
    "companion simulate --save --rounds 3",
    "help_simulate_players": "Nombre de joueurs (par défaut 4).",
    "help_simulate_games": "Nombre de parties (par défaut 1).",
    "help_seed": "Le même nombre joue les mêmes parties (par défaut 1).",
    "help_strategy": "Comment ils jouent, à tour de rôle ; peut être répété.",
    "help_simulate_save": "Garder les parties parmi les vôtres.",
    "help_save": "Noter la main pour un joueur d’une partie.",
    "help_fix": "Corriger un domino, par exemple 3-11=3-12 ; =3-12 en ajoute un, 3-12= en enlève un.",
    "help_accept": "Les dominos ont été regardés : lever les doutes.",
    "help_keep_photo": "Garder la photo avec la partie (par défaut seulement son empreinte).",
}
