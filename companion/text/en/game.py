"""What is wrong with a command about a game, and what to do."""

SENTENCES = {
    # house rules
    "preset_unknown": "There is no preset “{preset}”: choose one of {presets}.",
    "house_rule_unknown": "There is no house rule “{option}”; companion house-rules lists them all.",
    "house_rule_value": "The house rule {option} has no value “{value}”; companion house-rules {option} shows its values.",
    "house_rules_contradict": "{first}={first_value} and {second}={second_value} exclude each other; change one of them.",
}
