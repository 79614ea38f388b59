"""Справка о командах для игр."""

SENTENCES = {
    "help_data": "Папка с играми (по умолчанию ваша папка данных или COMPANION_DATA).",
    "help_as": "Записать от имени игрока, который сможет это отменить (по умолчанию ведущий).",
    "help_force": "Заменить файл, который уже есть.",
    "help_ruling": "Стол настаивает по этой причине; решение записывается.",
    "help_new": "Начать игру: назовите игроков в том порядке, в каком они сидят, по часовой стрелке.\n"
    "Дальше игру называют кодом из ответа; хватит его начала или слова «last».",
    "help_new_examples": "companion new Анна Борис Зоя\n"
    "companion new --preset meksikanskij-poezd --hand 12 --blank-points 50 Анна Борис\n"
    "companion new --set 9 --rounds 7 --change tie_break=most_zero_rounds Анна Борис\n"
    "companion new --missing 3-12 Анна Борис",
    "help_preset": "Готовые домашние правила; их показывает companion rules (по умолчанию custom).",
    "help_set": "Старший дубль набора (по умолчанию 12).",
    "help_hand": "Сколько костяшек на руки (по умолчанию по числу игроков).",
    "help_blank_points": "Сколько стоит 0-0: 0, 25 или 50.",
    "help_rounds": "Сколько раундов играть (по умолчанию по одному на дубль).",
    "help_change": "Другое домашнее правило, например marker_penalty=5; можно повторять.",
    "help_missing": "Костяшки, потерянные из коробки.",
    "help_games": "Показать все игры, изменённую последней — первой.",
    "help_games_examples": "companion games   # список игр\ncompanion games --json",
    "help_score": "Записать, сколько стоит рука: число или оставшиеся костяшки.\n"
    "Когда записаны все очки раунда, следующие очки начинают новый раунд. Без очков и костяшек записывается то, что следует из ходов: 0 тому, кто вышел.",
    "help_score_examples": "companion score K7M2QX Анна 42\n"
    "companion score last Борис 3-12 0-0\n"
    "companion score last 3 0\n"
    'companion score last Анна 45 --why "костяшка под столом"',
    "help_score_round": "Не текущий раунд, а этот.",
    "help_score_why": "Почему необычные очки верны или почему очки меняются.",
    "help_state": "Показать стол: стартовый дубль, ветки, маркеры, открытые дубли, чей ход.",
    "help_state_examples": "companion state last   # последняя игра\ncompanion state K7M2QX --legal",
    "help_legal": "Показать и то, что можно сделать.",
    "help_round": "Следить за раундом по ходам: начать и раздать, показать руку, закончить.",
    "help_round_examples": "companion round last start --starter Анна\n"
    "companion round last hand --player Анна --tiles 3-12,0-3,5-5\n"
    "companion round last end --blocked",
    "help_starter": "Кто ходит первым, если правила этого не говорят.",
    "help_round_engine": "Другой стартовый дубль, чем по правилам.",
    "help_round_player": "Чью руку показали.",
    "help_round_tiles": "Какие костяшки показали.",
    "help_round_out": "Кто вышел, когда раунд закончился.",
    "help_round_blocked": "Раунд закончился «рыбой».",
    "help_move": "Проверить ход и записать его; ход против правил объясняется и не записывается.\n"
    "Ход — костяшка и ветка (own — своя, mexican — общая, имя игрока) или draw, pass, stop, engine 12-12, marker on, call.",
    "help_move_examples": "companion move last Анна 3-12\n"
    "companion move last Борис 5-12 mexican\n"
    "companion move last Борис 5-5 Анна\n"
    "companion move last Зоя draw\n"
    'companion move last Зоя pass --ruling "у нас так играют"',
    "help_keep_marker": "Оставить свой маркер, если правила дают выбор.",
    "help_outer": "Какая половина станет хвостом, если решение стола переворачивает костяшку.",
    "help_undo": "Отменить последнюю запись; в истории она останется.",
    "help_undo_examples": 'companion undo last\ncompanion undo last --as Анна --why "не тот игрок"',
    "help_undo_why": "Почему отменяется.",
    "help_redo": "Вернуть отменённое последним.",
    "help_redo_examples": "companion redo last   # вернуть отменённое",
    "help_sheet": "Показать таблицу очков: раунды, суммы, места.",
    "help_sheet_examples": "companion sheet last   # последняя игра\ncompanion sheet K7M2QX --lang fr",
    "help_history": "Рассказать, кто что ввёл, когда и с какой фотографии.",
    "help_history_examples": "companion history last   # последняя игра",
    "help_plan": "Найти ветку, после которой на руках останется меньше всего очков.",
    "help_plan_examples": "companion plan --start 12 3-12 3-5 5-5 0-9\n"
    "companion plan --game last --player Анна\n"
    "companion plan --game last --player Анна 3-12 3-5 0-9",
    "help_plan_start": "Число, с которого начинается ветка.",
    "help_plan_game": "Искать в игре, на своей или общей ветке.",
    "help_plan_player": "Чья рука.",
    "help_export": "Записать игру для других программ и людей: таблица (csv), данные (json), весь журнал (jsonl), ссылка для BG Stats (bgstats), картинка (png).",
    "help_export_examples": "companion export last --output вечер.csv\n"
    "companion export last --format png --output вечер.png\n"
    "companion export last --format jsonl --output вечер.jsonl\n"
    "companion export last --format bgstats",
    "help_export_format": "Формат (по умолчанию csv).",
    "help_export_output": "Куда записать (по умолчанию на экран).",
    "help_backup": "Сохранить все игры и оставленные фотографии в одном файле.",
    "help_backup_examples": "companion backup игры.zip\ncompanion backup --force игры.zip",
    "help_restore": "Вернуть игры из резервной копии или игру из jsonl; ничего из того, что есть, не перезаписывается.",
    "help_restore_examples": "companion restore игры.zip\ncompanion restore вечер.jsonl",
    "help_delete": "Удалить игру навсегда (спросив) или только её фотографии.",
    "help_delete_examples": "companion delete K7M2QX   # с вопросом\ncompanion delete K7M2QX --photos --yes",
    "help_delete_photos": "Удалить только фотографии; очки останутся.",
    "help_yes": "Не спрашивать.",
    "help_rules": "Показать, о каких домашних правилах можно договориться, одно из них со значениями или правила игры; изменить их до первого раунда.",
    "help_rules_examples": "companion rules   # все правила\n"
    "companion rules double_followup\n"
    "companion rules --game last\n"
    "companion rules --game last --change double_blank_points=50",
    "help_rules_game": "Домашние правила этой игры.",
    "help_join": "Принять в игру ещё кого-то; ему раздают со следующего раунда.",
    "help_join_examples": "companion join last Мария\ncompanion join last Мария --after Борис",
    "help_after": "Слева от кого он садится (по умолчанию от последнего игрока).",
    "help_leave": "Отпустить игрока; его очки останутся в таблице.",
    "help_leave_examples": "companion leave last Борис\ncompanion leave last Борис --points 30 --unranked",
    "help_leave_points": "Сколько стоит его рука, если её считают (по умолчанию она уходит в резерв).",
    "help_unranked": "Убрать игрока из распределения мест.",
    "help_simulate": "Сыграть целые игры простыми стратегиями и показать таблицы.",
    "help_simulate_examples": "companion simulate   # одна игра\n"
    "companion simulate --players 6 --preset pagat --seed 7\n"
    "companion simulate --games 10 --strategy random --json\n"
    "companion simulate --save --rounds 3",
    "help_simulate_players": "Сколько игроков (по умолчанию 4).",
    "help_simulate_games": "Сколько игр (по умолчанию 1).",
    "help_seed": "С тем же числом играются те же игры (по умолчанию 1).",
    "help_strategy": "Как они играют, по очереди; можно повторять.",
    "help_simulate_save": "Оставить игры среди ваших.",
    "help_save": "Записать руку игроку в игре.",
    "help_fix": "Исправить костяшку, например 3-11=3-12; =3-12 добавляет, 3-12= убирает.",
    "help_accept": "На костяшки посмотрели: сомнения сняты.",
    "help_keep_photo": "Сохранить фотографию рядом с игрой (по умолчанию только её отпечаток).",
}
