"""Erreurs du journal des parties et des photos gardées avec lui."""

SENTENCES = {
    "log_conflict": "Quelqu’un d’autre vient d’écrire dans la partie {game} ; rien de votre saisie n’a été enregistré. "
    "Regardez le nouvel état et saisissez-la de nouveau si elle manque encore.",
    "game_deleted_meanwhile": "La partie {game} a été supprimée ; restaurez-la depuis une sauvegarde "
    "si vous en avez besoin.",
    "log_gap": "La ligne {seq} de la partie {game} manque dans {path} ; restaurez la partie depuis une sauvegarde.",
    "log_corrupt": "{path} est endommagé ; rien n’y a été modifié. Mettez-le de côté et restaurez votre sauvegarde.",
    "log_foreign": "{path} appartient à un autre programme ; rien n’y a été modifié. "
    "Indiquez un autre dossier avec --data.",
    "log_newer": "{path} a été écrit par une version plus récente du compagnon (format {found}, "
    "celle-ci connaît {known}) ; mettez le compagnon à jour.",
    "log_read_only": "{path} est en lecture seule ; rien n’a été enregistré. Copiez le dossier sur un disque "
    "accessible en écriture ou indiquez-en un autre avec --data.",
    "log_busy": "Une autre commande écrit dans {path} depuis trop longtemps ; rien n’a été enregistré. Réessayez.",
    "log_cannot_open": "{path} ne peut pas être ouvert ; vérifiez les droits du dossier "
    "ou indiquez-en un autre avec --data.",
    "log_failed": "{path} n’a pas pu être lu ou écrit ({reason}) ; rien de ce qui était enregistré n’est perdu.",
    "log_line_no_json": "La ligne {seq} est coupée ou abîmée au caractère {column} ; rien n’a été modifié. Prenez une autre copie du fichier.",
    "lines_no_game": "Ces lignes ne font pas une partie ; rien n’a été modifié. Prenez une autre copie du fichier.",
    "log_line_bad": "La ligne {seq} est illisible ({reason}) ; rien n’a été modifié.",
    "event_newer": "La ligne {seq} contient « {kind} », version {version}, que seule une version plus récente "
    "du compagnon connaît ; mettez le compagnon à jour.",
    "disk_full": "Le disque de {path} est plein ; rien n’a été enregistré et rien n’est perdu. "
    "Faites de la place et recommencez la saisie.",
    "folder_cannot_make": "Le dossier {path} ne peut pas être créé ({reason}) ; indiquez-en un autre avec --data.",
    "photo_not_kept": "La photo ne peut pas être gardée dans {path} ({reason}).",
    "photo_unreadable": "La photo {path} ne peut pas être lue ({reason}).",
    "photo_changed": "La photo {path} n’est plus celle qui avait été gardée ; supprimez-la.",
    "photo_not_deleted": "La photo {path} ne peut pas être supprimée ({reason}).",
}
