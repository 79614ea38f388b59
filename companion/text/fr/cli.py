"""L’aide de la ligne de commande."""

SENTENCES = {
    "help_usage": "Utilisation :",
    "help_options": "Options :",
    "help_commands": "Commandes :",
    "help_examples": "Exemples :",
    "help_help": "Affiche cette aide.",
    "help_version": "Affiche la version.",
    "help_lang": "Langue : anglais, français ou russe (par défaut, celle de votre système).",
    "help_json": "Écrit du JSON, un objet par ligne.",
    "help_companion": "Un compagnon pour le train mexicain : il lit vos dominos en photo et tient le score.",
    "help_companion_examples": "companion new Anna Bruno Zoé\ncompanion score last Anna 42\ncompanion sheet last\ncompanion scan main.jpg\ncompanion doctor",
    "help_scan": "Lit les dominos sur des photos et compte leurs points.\n"
    "Un domino à revoir porte un point d’interrogation et la raison.",
    "help_scan_examples": "companion scan main.jpg\n"
    "companion scan --set 9 --blank-points 50 anne.jpg bruno.jpg\n"
    "companion scan --taken 12-12,3-12 main.heic\n"
    "companion scan --merge gauche.jpg droite.jpg\n"
    "companion scan --annotate verifies *.jpg\n"
    "companion scan --table --engine 12-12 table.jpg",
    "help_scan_set": "Le plus grand double de votre jeu (par défaut 12).",
    "help_scan_taken": "Dominos que l’on sait ailleurs ; vus sur la photo, ils sont un doute.",
    "help_scan_blank_points": "Ce que compte le 0-0 (par défaut 0).",
    "help_scan_merge": "Les photos montrent une seule main : un domino vu plusieurs fois ne compte qu’une fois.",
    "help_scan_annotate": "Y enregistre une copie de chaque photo, avec contours et valeurs.",
    "help_scan_table": "Les photos montrent la table : donner ses trains au lieu des points.",
    "help_scan_engine": "Le double de départ de la manche, s’il est connu (avec --table).",
    "help_doctor": "Dit ce qui est installé, ce qui manque et comment l’obtenir.",
    "help_doctor_examples": "companion doctor",
}
