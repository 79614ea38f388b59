"""Les mots de la feuille de scores."""

SENTENCES = {
    "sheet_title": "Train mexicain, partie {game}",
    "sheet_round": "Manche",
    "sheet_engine": "Départ",
    "sheet_opening": "Avance",
    "sheet_total": "Total",
    "sheet_rank": "Place",
    "sheet_made_with": "Fait avec Mexican Train Companion",
    "sheet_progress": "Manche {round} sur {rounds} ; il manque encore {missing} {missing:score|scores}.",
    "sheet_complete": "Manche {round} sur {rounds} ; tous les scores sont là.",
    "sheet_not_begun": "Aucune manche n’a encore commencé.",
    "sheet_over_one": "La partie est finie. {names} gagne.",
    "sheet_over_many": "La partie est finie. {names} gagnent à égalité.",
    "sheet_over": "La partie est finie.",
}
