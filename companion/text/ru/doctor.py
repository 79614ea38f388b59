"""Что говорит `companion doctor`."""

SENTENCES = {
    "doctor_all_well": "Всё в порядке.",
    "doctor_problems": "{n} {n:пункт требует|пункта требуют|пунктов требуют} внимания.",
}
