"""Справка командной строки."""

SENTENCES = {
    "help_usage": "Запуск:",
    "help_options": "Параметры:",
    "help_commands": "Команды:",
    "help_examples": "Примеры:",
    "help_help": "Показать эту справку.",
    "help_version": "Показать версию.",
    "help_lang": "Язык: английский, французский или русский (по умолчанию язык системы).",
    "help_json": "Вывести JSON, по объекту в строке.",
    "help_companion": "Помощник для игры «Мексиканский поезд»: читает костяшки по фотографии и ведёт счёт.",
    "help_companion_examples": "companion new Анна Борис Зоя\ncompanion score last Анна 42\ncompanion sheet last\ncompanion scan ruka.jpg\ncompanion doctor",
    "help_scan": "Прочитать костяшки на фотографиях и сосчитать очки.\n"
    "Костяшка, на которую стоит взглянуть ещё раз, отмечена вопросом, и названа причина.",
    "help_scan_examples": "companion scan ruka.jpg\n"
    "companion scan --set 9 --blank-points 50 anna.jpg boris.jpg\n"
    "companion scan --taken 12-12,3-12 ruka.heic\n"
    "companion scan --merge sleva.jpg sprava.jpg\n"
    "companion scan --annotate provereno *.jpg\n"
    "companion scan --table --engine 12-12 stol.jpg",
    "help_scan_set": "Старший дубль вашего набора (по умолчанию 12).",
    "help_scan_taken": "Костяшки, которые точно в другом месте; на снимке они вызовут сомнение.",
    "help_scan_blank_points": "Сколько очков стоит 0-0 (по умолчанию 0).",
    "help_scan_merge": "На всех снимках одна рука: костяшка, попавшая на несколько, считается один раз.",
    "help_scan_annotate": "Сохранить туда копию каждого снимка с контурами и значениями.",
    "help_scan_table": "На снимках стол: назвать его ветки, а не очки.",
    "help_scan_engine": "Начальный дубль раунда, если он известен (вместе с --table).",
    "help_doctor": "Рассказать, что установлено, чего не хватает и где это взять.",
    "help_doctor_examples": "companion doctor",
}
