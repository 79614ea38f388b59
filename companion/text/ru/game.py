"""Что не так с командой об игре и что делать."""

SENTENCES = {
    # домашние правила
    "preset_unknown": "Готовых правил «{preset}» нет: выберите одни из {presets}.",
    "house_rule_unknown": "Правила «{option}» нет; все правила показывает companion house-rules.",
    "house_rule_value": "У правила {option} нет значения «{value}»; "
    "какие есть, показывает companion house-rules {option}.",
    "house_rules_contradict": "{first}={first_value} и {second}={second_value} исключают друг друга; измените одно из них.",
}
