"""Слова таблицы очков."""

SENTENCES = {
    "sheet_title": "Мексиканский поезд, игра {game}",
    "sheet_round": "Раунд",
    "sheet_engine": "Дубль",
    "sheet_opening": "Начало",
    "sheet_total": "Всего",
    "sheet_rank": "Место",
    "sheet_made_with": "Сделано в Mexican Train Companion",
    "sheet_progress": "Раунд {round} из {rounds}; не хватает {missing} {missing:результата|результатов|результатов}.",
    "sheet_complete": "Раунд {round} из {rounds}; все очки записаны.",
    "sheet_not_begun": "Ни один раунд ещё не начат.",
    "sheet_over_one": "Игра окончена. Победитель: {names}.",
    "sheet_over_many": "Игра окончена. Победу делят: {names}.",
    "sheet_over": "Игра окончена.",
}
