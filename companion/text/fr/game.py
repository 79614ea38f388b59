"""Ce qui ne va pas dans une commande sur une partie, et que faire."""

SENTENCES = {
    # règles maison
    "preset_unknown": "Il n’y a pas de règles toutes prêtes « {preset} » : choisissez parmi {presets}.",
    "house_rule_unknown": "Il n’y a pas de règle maison « {option} » ; companion house-rules les montre toutes.",
    "house_rule_value": "La règle maison {option} n’a pas de valeur « {value} » ; "
    "companion house-rules {option} montre celles qu’elle a.",
    "house_rules_contradict": "{first}={first_value} et {second}={second_value} s’excluent ; changez l’une des deux.",
}
