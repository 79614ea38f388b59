"""Что говорит `companion doctor`."""

SENTENCES = {
    "doctor_status_ok": "в порядке",
    "doctor_status_note": "заметка",
    "doctor_status_problem": "ИСПРАВИТЬ",
    "doctor_program": "Программа companion {version}, Python {python}, {system}",
    "doctor_package": "{package} {version}",
    "doctor_package_missing": "Нет пакета {package}, или он не запускается: pip install --force-reinstall {package}",
    "doctor_libgl": "OpenCV не запускается без libGL: pip uninstall opencv-python, затем "
    "pip install --force-reinstall opencv-python-headless",
    "doctor_no_heif": "Фотографии HEIC (iPhone) прочитать нельзя: pip install pi-heif",
    "doctor_weights": "Модель {name} версии {version} — та самая, что была проверена ({sha256})",
    "doctor_model_runs": "Модель читает фотографию за {milliseconds} мс",
    "doctor_model_fails": "Модель не работает на этой машине ({reason}): pip install --force-reinstall onnxruntime",
    "doctor_camera": "Камера {name} ({device})",
    "doctor_camera_forbidden": "Камерой {name} ({device}) пользоваться нельзя: sudo usermod -aG video $USER, затем войдите заново",
    "doctor_no_camera": "Веб-камера не найдена; фотографии с телефона и из файлов читаются и так",
    "doctor_cameras_unknown": "Веб-камеры на этой системе не перечисляются; фотографии из файлов читаются и так",
    "doctor_space": "Для игр в {folder} свободно {megabytes} МБ",
    "doctor_little_space": "Для игр в {folder} свободно всего {megabytes} МБ: освободите место или укажите другую папку в COMPANION_DATA",
    "doctor_data_forbidden": "Хранить игры в {folder} нельзя: укажите в COMPANION_DATA свою папку",
    "doctor_all_well": "Всё в порядке.",
    "doctor_problems": "{n} {n:пункт нужно|пункта нужно|пунктов нужно} исправить.",
}
